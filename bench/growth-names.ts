const list = (words: string) => `array['${words.split(' ').join("','")}']`;
const firstStarts = list(
  'Ma An Jo Ka El Ste Da Mi Lu Pe Ro Sa Vi Wil Ar Be Chri Do Ed Fra Ga Hel Is Ja Ke Le Na Ol Pau Ra So The Ur Ve Xa Zo',
);
const firstEnds = list(
  'ria na n hn mir rin ther isa vid chael cas ter bert ndra ktor liam thur atrix stian minik ' +
    'win nk briel ene abel mes vin onie talie iver la chel phie odor sula ronika vier ltan lia ra',
);
const lastStarts = list(
  'Mül Schmi Garc Smith John Will Brow Jon Mill Dav Rod Mart Her Lop Gonz Wil And Tho Tay Moo ' +
    'Jack Lee Per Tom Whi Har San Cla Ram Lew Rob Walk You All King Wri Sco Tor Ngu Hi',
);
const lastMiddles = list('ler dt ia er son iams n es is rigu inez nan ez al ers mas lor re kov ens');
const lastEnds = `array['', ${list('son ski ova mann sen berg stein feld wood ford ley ton by man hoff bach dottir ides opoulos ian enko ault elli').slice(6)}`;

/** SQL that adds a `name` to each `n`: 1,440 first and 19,200 last names, some of them common, one in the oldest third only. */
export const drawNames = (from: string, to: string, all: string) => `
  select n, (${firstStarts})[1 + first % 36] || (${firstEnds})[1 + first / 36] || ' ' ||
    case when n <= ${all} / 3 and n % 17 = 0 then 'Oldham'
    else (${lastStarts})[1 + last % 40] || (${lastMiddles})[1 + last / 40 % 20] || (${lastEnds})[1 + last / 800] end as name
  from (
    select n, floor(1440 * power(random(), 2.2))::int as first, floor(19200 * power(random(), 1.6))::int as last
    from generate_series(${from}, ${to}) as n) as drawn`;

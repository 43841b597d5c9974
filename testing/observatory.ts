/** Mozilla's HTTP Observatory (algorithm 6, twelve tests) without the HSTS preload list. */
export interface Visit {
  /** The page's headers over https. */
  headers: Headers;
  html: string;
  /** Every Set-Cookie line. */
  cookies: readonly string[];
  /** The answer to the same request from another origin. */
  foreign: { headers: Headers; origin: string };
  /** The redirects from http://, itself first; empty if nothing answers there. */
  redirects: readonly string[];
}

const BASE = 100;
/** Bonus points count only from this score on. */
const MIN_FOR_BONUS = 90;

interface Verdict {
  score: number;
  points: Record<keyof typeof rules, number>;
}

/** The score, 0 to 160, and each rule's points. */
export function observe(visit: Visit): Verdict {
  const points = Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, rule(visit)]),
  ) as Verdict['points'];
  const all = Object.values(points);
  const penalized = all.reduce((sum, value) => sum + Math.min(0, value), BASE);
  const bonus = all.reduce((sum, value) => sum + Math.max(0, value), 0);
  return { score: Math.max(0, penalized >= MIN_FOR_BONUS ? penalized + bonus : penalized), points };
}

const rules = {
  contentSecurityPolicy,
  cookies,
  crossOriginSharing,
  redirection,
  referrerPolicy,
  strictTransport,
  subresourceIntegrity,
  contentTypeOptions,
  frameOptions,
  resourcePolicy,
  embedderPolicy,
  openerPolicy,
};

const tooBroad = ['ftp:', 'http:', 'https:', '*', 'http://*', 'http://*.*', 'https://*', 'https://*.*'];
const passive = ['img-src', 'media-src'];

function contentSecurityPolicy({ headers }: Visit): number {
  const policy = directivesOf(headers);
  if (policy.size === 0) return -25;
  const sources = (name: string) => withoutIgnored(policy.get(name) ?? policy.get('default-src') ?? ['*']);
  const [script, style, object] = [sources('script-src'), sources('style-src'), sources('object-src')];
  const plain = (list: readonly string[]) => list.some((source) => /^(http|ftp):/.test(source));
  const active = [...policy].filter(([name]) => !passive.includes(name)).flatMap(([, list]) => list);

  if (unsafe(script) || object.some((source) => tooBroad.includes(source))) return -20;
  if (plain(active)) return -20;
  if ([...script, ...style].includes("'unsafe-eval'")) return -10;
  if (passive.some((name) => plain(sources(name)))) return -10;
  if (unsafe(style)) return 0;
  return policy.get('default-src')?.join() === "'none'" ? 10 : 5;
}

/** Whether a source list allows injected code. */
function unsafe(sources: readonly string[]): boolean {
  return sources.some((source) => [...tooBroad, "'unsafe-inline'", 'data:'].includes(source));
}

/** Browsers ignore 'unsafe-inline' next to a nonce or a hash. */
function withoutIgnored(sources: readonly string[]): readonly string[] {
  const guarded = sources.some((source) => /^'(nonce|sha\d+)-/.test(source));
  return guarded ? sources.filter((source) => source !== "'unsafe-inline'") : sources;
}

function directivesOf(headers: Headers): Map<string, readonly string[]> {
  const parts = (headers.get('content-security-policy') ?? '').split(/[;,]/).map((part) => part.trim());
  return new Map(
    parts
      .filter((part) => part !== '')
      .map((part) => {
        const [name = '', ...sources] = part.split(/\s+/);
        return [name.toLowerCase(), sources.map((source) => source.toLowerCase())];
      }),
  );
}

function cookies(visit: Visit): number {
  if (visit.cookies.length === 0) return 0;
  const protectedByHsts = strictTransport(visit) === 0;
  const marks = visit.cookies.map((line) => markOf(line, protectedByHsts));
  const worst = Math.min(...marks);
  if (worst < 0) return worst;
  return visit.cookies.every((line) => /;\s*samesite=/i.test(line)) ? 5 : 0;
}

function markOf(line: string, protectedByHsts: boolean): number {
  const name = (line.split('=')[0] ?? '').toLowerCase();
  const isSession = /login|sess/.test(name);
  const secure = /;\s*secure\b/i.test(line);
  const sameSite = /;\s*samesite=(\w*)/i.exec(line)?.[1]?.toLowerCase();
  const marks = [0];
  if (sameSite !== undefined && !['lax', 'strict', 'none'].includes(sameSite)) marks.push(-20);
  if (sameSite === 'none' && !secure) marks.push(-20);
  if (name.includes('csrf') && sameSite === undefined) marks.push(-20);
  if (!secure) marks.push(protectedByHsts ? -5 : -20);
  if (!secure && isSession) marks.push(protectedByHsts ? -10 : -40);
  if (isSession && !/;\s*httponly\b/i.test(line)) marks.push(-30);
  return Math.min(...marks);
}

function crossOriginSharing({ foreign }: Visit): number {
  const reflected = foreign.headers.get('access-control-allow-origin') === foreign.origin;
  return reflected && foreign.headers.get('access-control-allow-credentials') === 'true' ? -50 : 0;
}

function redirection({ redirects }: Visit): number {
  const [first, second, ...others] = redirects.map((address) => new URL(address));
  if (!first) return 0;
  const last = others.at(-1) ?? second;
  if (!second || last?.protocol !== 'https:') return -20;
  if (second.protocol !== 'https:') return -10;
  return first.hostname === second.hostname ? 0 : -5;
}

const privatePolicies = ['no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin'];
const leakyPolicies = ['origin', 'origin-when-cross-origin', 'unsafe-url', 'no-referrer-when-downgrade'];

function referrerPolicy({ headers }: Visit): number {
  const header = headers.get('referrer-policy');
  if (header === null) return 0;
  const known = header.split(',').map((value) => value.trim().toLowerCase());
  const last = known.filter((value) => [...privatePolicies, ...leakyPolicies].includes(value)).at(-1);
  return last !== undefined && privatePolicies.includes(last) ? 5 : -5;
}

/** The scanner counts six months of thirty days. */
const SIX_MONTHS_SECONDS = 15_552_000;

function strictTransport({ headers }: Visit): number {
  const maxAge = /(?:^|;)\s*max-age=(\d+)/i.exec(headers.get('strict-transport-security') ?? '')?.[1];
  if (maxAge === undefined) return -20;
  return Number(maxAge) >= SIX_MONTHS_SECONDS ? 0 : -10;
}

function subresourceIntegrity({ html }: Visit): number {
  const tags = [...html.matchAll(/<script\b[^>]*\ssrc="([^"]*)"[^>]*>/gi)];
  const marks = tags.map(([tag, source = '']) => {
    const pinned = /\sintegrity="[^"]+"/.test(tag);
    const foreign = /^(https?:)?\/\//.test(source);
    if (!foreign) return pinned ? 5 : 0;
    if (source.startsWith('https:')) return pinned ? 5 : -5;
    return pinned ? -20 : -50;
  });
  const worst = Math.min(0, ...marks);
  return worst < 0 ? worst : Math.max(0, ...marks);
}

function contentTypeOptions({ headers }: Visit): number {
  return headers.get('x-content-type-options')?.toLowerCase() === 'nosniff' ? 0 : -5;
}

function frameOptions({ headers }: Visit): number {
  if (directivesOf(headers).has('frame-ancestors')) return 5;
  const option = headers.get('x-frame-options')?.toLowerCase() ?? '';
  if (option.startsWith('allow-from')) return 0;
  return ['deny', 'sameorigin'].includes(option) ? 5 : -20;
}

function resourcePolicy({ headers }: Visit): number {
  return scoreOf(headers.get('cross-origin-resource-policy'), ['same-origin', 'same-site'], ['cross-origin']);
}

function embedderPolicy({ headers }: Visit): number {
  return scoreOf(
    headers.get('cross-origin-embedder-policy'),
    ['require-corp', 'credentialless'],
    ['unsafe-none'],
  );
}

function openerPolicy({ headers }: Visit): number {
  const good = ['same-origin', 'same-origin-allow-popups', 'noopener-allow-popups'];
  return scoreOf(headers.get('cross-origin-opener-policy'), good, ['unsafe-none']);
}

function scoreOf(header: string | null, good: readonly string[], harmless: readonly string[]): number {
  if (header === null || harmless.includes(header)) return 0;
  return good.includes(header) ? 10 : -5;
}

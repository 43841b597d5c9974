import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

const web = fileURLToPath(new URL('.', import.meta.url));
const require = createRequire(import.meta.url);

/** Makes the subsets that styles/fonts.css names in fonts/, once per process. */
export function subsetFonts() {
  let made;
  return {
    name: 'subset-fonts',
    buildStart: () => (made ??= makeSubsets()),
  };
}

/** The characters that every subset has. */
export async function subsetCharacters() {
  const subsets = (await readFaces()).filter(isSubset);
  return new Set(
    [...subsets[0].characters].filter((one) => subsets.every((face) => face.characters.includes(one))),
  );
}

async function makeSubsets() {
  const faces = await readFaces();
  await mkdir(`${web}fonts`, { recursive: true });
  for (const { family, file, weights, characters } of faces.filter(isSubset)) {
    const whole = faces.find((face) => face.family === family && face.file.startsWith('@fontsource'));
    const font = await subsetFont(await readFile(require.resolve(whole.file)), characters, {
      targetFormat: 'woff2',
      variationAxes: { wght: weights },
    });
    await writeFile(`${web}styles/${file}`, font);
  }
}

const isSubset = ({ file }) => file.startsWith('../fonts/');

async function readFaces() {
  const css = await readFile(`${web}styles/fonts.css`, 'utf8');
  return [...css.matchAll(/@font-face \{[^}]+\}/g)].map(([face]) => readFace(face));
}

function readFace(face) {
  const property = (name) => new RegExp(`${name}:\\s*([^;]+);`).exec(face)?.[1] ?? '';
  const [min, max] = property('font-weight').split(' ').map(Number);
  return {
    family: property('font-family'),
    file: /url\("([^"]+)"\)/.exec(face)?.[1] ?? '',
    weights: { min, max },
    characters: charactersOf(property('unicode-range').split(/,\s*/)),
  };
}

/** @param ranges as CSS has them: `U+20-7E` */
function charactersOf(ranges) {
  return ranges
    .filter(Boolean)
    .flatMap((range) => {
      const [first, last = first] = range
        .slice(2)
        .split('-')
        .map((code) => Number.parseInt(code, 16));
      return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
    })
    .join('');
}

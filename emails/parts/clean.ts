const CONTROL_BUT_LINES = /(?![\n\t])\p{Cc}/gu;
const LINE_BREAKS = /\r\n|[\r\n\u0085\u2028\u2029]/g;
// Direction overrides can make 'gpj.exe' read 'exe.jpg'; a subject line has no legitimate use for them.
const DIRECTION_CONTROLS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const SUBJECT_LIMIT = 160;

/** Normalizes line breaks to '\n' and removes other control characters and broken surrogates. */
export function cleanText(value: string): string {
  return value.replace(LINE_BREAKS, '\n').replace(CONTROL_BUT_LINES, '').toWellFormed();
}

export function cleanProps<P extends object>(props: P): P {
  const entries = Object.entries(props).map(([key, value]) => [
    key,
    typeof value === 'string' ? cleanText(value) : value,
  ]);
  return Object.fromEntries(entries) as P;
}

/** Collapses line breaks, tabs and runs of spaces to single spaces. */
export function oneLine(value: string): string {
  return value.replace(/\s+/g, ' ').trim();
}

/** One line of at most 160 characters, so that no value can inject a header. */
export function subjectLine(value: string): string {
  const flat = oneLine(cleanText(value).replace(DIRECTION_CONTROLS, ''));
  const characters = Array.from(flat);
  if (characters.length <= SUBJECT_LIMIT) return flat;
  return `${characters
    .slice(0, SUBJECT_LIMIT - 1)
    .join('')
    .trimEnd()}…`;
}

/** Validates an absolute http(s) URL. @throws TypeError for anything else */
export function absoluteUrl(value: string): string {
  const url = new URL(value);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new TypeError(`Not an absolute http(s) URL: ${JSON.stringify(value)}`);
  }
  return url.href;
}

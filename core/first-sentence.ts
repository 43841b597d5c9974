/** The first sentence of a text, with its full stop. */
export function firstSentence(text: string): string {
  const first = /^.*?[.!?…](?=\s+[A-Z])/.exec(text)?.[0] ?? text;
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}

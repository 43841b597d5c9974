/** The text fields of a form as typed; blank ones are absent. */
export function textFields(form: HTMLFormElement): Record<string, string> {
  const texts = [...new FormData(form)].map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(texts.filter(([, text]) => text.trim() !== ''));
}

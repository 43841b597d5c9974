/** Whether no real money moves here. The API writes the mode into the document when it loads the pages. */
export function isSandbox(): boolean {
  return document.documentElement.dataset.mode === 'sandbox';
}

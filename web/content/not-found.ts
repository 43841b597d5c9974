/** Any other address: the title, and a hint phrased for developers. */
export const notFoundPage = {
  title: 'Page Not Found',
  hint: 'Did you forget to add the page to the router? We looked it up by index, and there is no such row.',
} as const;

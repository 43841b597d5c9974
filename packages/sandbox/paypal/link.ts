import type { Link } from './types.ts';

export function link(
  ctx: { baseUrl: () => string },
  rel: string,
  path: string,
  method: Link['method'] = 'GET',
): Link {
  return { href: `${ctx.baseUrl()}${path}`, rel, method };
}

const MAX_LENGTH = 500;
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\\]|%(?:2f|5c|0[0-9a-f]|1[0-9a-f]|7f)/iu;

/**
 * `value` if it names one of the site's own pages, otherwise '/'. Refuses other hosts in any disguise ('//evil', '/\evil',
 * 'https:evil', '%2f%2f') and API calls: returning through /api/logout would undo the sign-in.
 */
export function safeReturnPath(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_LENGTH || UNSAFE.test(value)) return '/';
  if (!value.startsWith('/') || value.startsWith('//') || !URL.canParse(value, 'http://site')) return '/';
  const { origin, pathname, search, hash } = new URL(value, 'http://site');
  const isPage = origin === 'http://site' && !pathname.startsWith('//') && !/^\/api(\/|$)/i.test(pathname);
  return isPage ? pathname + search + hash : '/';
}

const MAX_LENGTH = 500;
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\\]|%(?:2f|5c|0[0-9a-f]|1[0-9a-f]|7f)/iu;

/**
 * The page to come back to after signing in, if `value` names one of the site's own pages; else '/'. Another host in
 * any disguise ('//evil', '/\evil', 'https:evil', '%2f%2f'; ASVS 3.7.2) is none, and neither are the API's calls: a
 * way back through /api/logout would undo the sign-in.
 */
export function safeReturnPath(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_LENGTH || UNSAFE.test(value)) return '/';
  if (!value.startsWith('/') || value.startsWith('//') || !URL.canParse(value, 'http://site')) return '/';
  const { origin, pathname, search, hash } = new URL(value, 'http://site');
  const isPage = origin === 'http://site' && !pathname.startsWith('//') && !/^\/api(\/|$)/i.test(pathname);
  return isPage ? pathname + search + hash : '/';
}

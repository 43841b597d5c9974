import type { CookieOptions, Request } from 'express';
import type { Config } from '../../infra/config.ts';

/** With https the name itself binds the cookie to this host and path (the `__Host-` prefix). */
export function cookieName({ publicUrl }: Pick<Config, 'publicUrl'>, name: string): string {
  return publicUrl.startsWith('https:') ? `__Host-${name}` : name;
}

export function cookieOptions({ publicUrl }: Pick<Config, 'publicUrl'>): CookieOptions {
  return { path: '/', sameSite: 'lax', secure: publicUrl.startsWith('https:') };
}

/** The cookie's raw value, not decoded. */
export function readCookie(req: Request, name: string): string | undefined {
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

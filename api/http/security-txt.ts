import type { RequestHandler } from 'express';
import { paths } from '../../core/paths.ts';

export const SECURITY_TXT = '/.well-known/security.txt';
const VALID_MS = 180 * 86_400_000;

/** RFC 9116 recommends an expiry of less than a year. */
export function securityTxt(publicUrl: string): RequestHandler {
  return function sendSecurityTxt(_req, res) {
    const expires = new Date(Date.now() + VALID_MS).toISOString();
    res.type('text/plain').set('Cache-Control', 'no-cache');
    res.send(
      [
        `Contact: ${publicUrl}${paths.contact}`,
        `Expires: ${expires}`,
        'Preferred-Languages: en',
        `Canonical: ${publicUrl}${SECURITY_TXT}`,
        '',
      ].join('\n'),
    );
  };
}

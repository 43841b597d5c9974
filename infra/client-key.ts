import ipaddr from 'ipaddr.js';
import { memoize } from './memoize.ts';

/** The key that limits count a client by: its IPv4 address or IPv6 /64. Invalid addresses share one key. */
export function clientKey(address = ''): string {
  return keyOf(address);
}

const keyOf = memoize((address) => networkOf(address, { ipv4: 4, ipv6: 4 }));

/** The largest network that one customer of an internet provider usually has: /24 in IPv4, /48 in IPv6. */
export function clientNetwork(address = ''): string {
  return widerKeyOf(address);
}

const widerKeyOf = memoize((address) => networkOf(address, { ipv4: 3, ipv6: 3 }));

/** The first parts of an address: bytes in IPv4, 16 bits each in IPv6. */
function networkOf(address: string, parts: { ipv4: number; ipv6: number }): string {
  if (!ipaddr.isValid(address)) return 'invalid';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.octets.slice(0, parts.ipv4).join('.');
  const network = parsed.parts.slice(0, parts.ipv6).map((part) => part.toString(16));
  return `${network.join(':')}::/${parts.ipv6 * 16}`;
}

import ipaddr from 'ipaddr.js';

/**
 * What counts as one client for limits: an IPv4 address, or the /64 network that an IPv6 client can choose its address
 * from. Text that is no address counts as one client together.
 */
export function clientKey(address = ''): string {
  if (!ipaddr.isValid(address)) return 'invalid';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

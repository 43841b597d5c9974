/** Opens a mail program. Everything is encoded but the "@" before the domain (RFC 6068, section 2). */
export function mailto(address: string, subject?: string): string {
  const at = address.lastIndexOf('@');
  const to = `${encodeURIComponent(address.slice(0, at))}@${encodeURIComponent(address.slice(at + 1))}`;
  return `mailto:${to}${subject ? `?subject=${encodeURIComponent(subject)}` : ''}`;
}

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Files of a certificate for the name `localhost`, and of the test authority that signed it. */
export interface Certificate {
  cert: string;
  key: string;
  authority: string;
  authorityText: string;
}

export function makeCertificate(folder: string): Certificate {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const request = ['req', '-newkey', 'rsa:2048', '-nodes', '-keyout'];
  openssl(...request, 'ca.key', '-x509', '-days', '2', '-subj', '/CN=test authority', '-out', 'ca.crt');
  openssl(...request, 'server.key', '-subj', '/CN=localhost', '-out', 'server.csr');
  writeFileSync(path.join(folder, 'names'), 'subjectAltName=DNS:localhost');
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'server.csr', ...signed, '-out', 'server.crt');
  const authority = path.join(folder, 'ca.crt');
  return {
    cert: path.join(folder, 'server.crt'),
    key: path.join(folder, 'server.key'),
    authority,
    authorityText: readFileSync(authority, 'utf8'),
  };
}

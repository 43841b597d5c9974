import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface Service {
  image?: string;
  ports?: string[];
  environment?: Record<string, string | null>;
}

test('only the proxy of docker-compose.yml is reachable from outside, and no mailbox of a test is in it', () => {
  const services = servicesOf('docker-compose.yml');
  const published = Object.entries(services).filter(([, { ports = [] }]) => ports.length > 0);
  expect(published.map(([name]) => name)).toEqual(['caddy']);
  expect(Object.values(services).filter(({ image }) => image?.includes('mailpit'))).toEqual([]);
});

test.each(['web', 'worker'])(
  '%s in docker-compose.yml has no default for secrets, mail and addresses',
  (name) => {
    const environment = servicesOf('docker-compose.yml')[name]?.environment ?? {};
    for (const setting of [
      'SMTP_URL',
      'SMTP_TLS',
      'MAIL_FROM',
      'STAFF_EMAIL',
      'PUBLIC_URL',
      'SESSION_SECRET',
    ]) {
      expect(environment, setting).toHaveProperty(setting, null);
    }
  },
);

test('the demo is reachable from this machine only', () => {
  const ports = Object.values(servicesOf('docker-compose.demo.yml')).flatMap(
    (service) => service.ports ?? [],
  );
  expect(ports.length).toBeGreaterThan(0);
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});

function servicesOf(file: string): Record<string, Service> {
  const text = readFileSync(path.resolve(import.meta.dirname, '..', file), 'utf8');
  return (parse(text, { merge: true }) as { services: Record<string, Service> }).services;
}

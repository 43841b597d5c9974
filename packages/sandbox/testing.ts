import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { createSandbox, type Sandbox } from './app.ts';
import { type SandboxConfig, sandboxDefaults } from './config.ts';

export interface RunningSandbox extends Sandbox {
  url: string;
  port: number;
  smtpPort: number;
  /** The official client, pointed here. */
  stripeClient: Stripe;
}

/** A sandbox of one's own on free ports. Close it at the end. */
export async function startSandbox(settings: Partial<SandboxConfig> = {}): Promise<RunningSandbox> {
  // Nothing listens on port 9: webhooks go nowhere until a test says where.
  const nowhere = { siteUrl: 'http://127.0.0.1:9', port: 0, smtpPort: 0 };
  const sandbox = createSandbox({ ...sandboxDefaults, ...nowhere, ...settings });
  const address = await sandbox.listen();
  return {
    ...sandbox,
    ...address,
    stripeClient: stripeClientFor(address.port, sandbox.config.stripe.secretKey),
  };
}

export function stripeClientFor(port: number, key: string, options: object = {}): Stripe {
  return new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0, ...options });
}

export interface ReceivedWebhook {
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface WebhookReceiver {
  url: string;
  received: ReceivedWebhook[];
  /** Statuses of the next answers; 200 when used up. */
  answers: number[];
  /** The types of what came, in the order of arrival. */
  types(): string[];
  close(): Promise<void>;
}

/** Stands where the web process stands and writes down what it is told. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const answers: number[] = [];
  const server = http.createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', () => {
      received.push({ path: req.url ?? '', headers: req.headers, body: Buffer.concat(chunks).toString() });
      res.writeHead(answers.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answers,
    types: () => received.map(({ body }) => JSON.parse(body).type ?? JSON.parse(body).event_type),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

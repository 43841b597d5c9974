import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { Redis } from 'ioredis';
import { type Child, startChild } from '../child-process.ts';
import { waitFor } from '../wait-for.ts';
import type { Certificate } from './certificate.ts';

const SERVER_PASSWORD = 'server p@ss';
const SENTINEL_PASSWORD = 'sentinel/p@ss';
/** The fewest permissions that the product needs; docs/operations.md repeats them. */
const ACL =
  'user querywright on >app:p@ss ~{querywright}:* ~querywright:* resetchannels ' +
  '+@all -@dangerous -@admin +info +client|list +client|setname';
const APP = `querywright:${encodeURIComponent('app:p@ss')}`;

interface RedisInstallation {
  url: string;
  /** Kills a primary. */
  strike(): Promise<void>;
  stop(): Promise<void>;
}

/** One server over TLS, with a user of minimal permissions. */
export async function startWithAcl(folder: string, certificate: Certificate): Promise<RedisInstallation> {
  const port = await freePort();
  const start = () => startServer(folder, port, [...tlsOf(certificate, port), ...acl()]);
  let server = await start();
  return {
    url: `rediss://${APP}@localhost:${port}`,
    async strike() {
      await server.kill();
      server = await start();
    },
    stop: () => server.kill(),
  };
}

/** A primary, a replica and three sentinels, all over TLS; the sentinels have a separate password. */
export async function startSentinels(folder: string, certificate: Certificate): Promise<RedisInstallation> {
  const [primary, replica] = [await freePort(), await freePort()];
  const common = (port: number) => [
    ...tlsOf(certificate, port),
    ...['tls-replication yes', 'replica-announce-ip localhost', ...acl()],
    ...[`requirepass "${SERVER_PASSWORD}"`, `masterauth "${SERVER_PASSWORD}"`],
  ];
  const servers = [
    await startServer(folder, primary, common(primary)),
    await startServer(folder, replica, [...common(replica), `replicaof localhost ${primary}`]),
  ];
  const sentinels: number[] = [];
  for (let count = 0; count < 3; count++) {
    const port = await freePort();
    sentinels.push(port);
    const settings = [
      ...tlsOf(certificate, port),
      ...['tls-replication yes', `requirepass "${SENTINEL_PASSWORD}"`],
      ...['sentinel resolve-hostnames yes', 'sentinel announce-hostnames yes'],
      'sentinel announce-ip localhost',
      `sentinel monitor shop localhost ${primary} 2`,
      `sentinel auth-pass shop "${SERVER_PASSWORD}"`,
      ...['sentinel down-after-milliseconds shop 1000', 'sentinel failover-timeout shop 5000'],
    ];
    servers.push(await startServer(folder, port, settings, ['--sentinel']));
  }
  await untilSentinelsAgree(certificate, sentinels);
  const hosts = sentinels.map((port) => `localhost:${port}`).join(',');
  return {
    url: `rediss+sentinel://${APP}@${hosts}/shop?sentinelPassword=${encodeURIComponent(SENTINEL_PASSWORD)}`,
    strike: async () => servers[0]?.kill(),
    stop: async () => void (await Promise.all(servers.map((server) => server.kill()))),
  };
}

/** Three primaries with a replica each, over TLS, announced by host name. */
export async function startCluster(folder: string, certificate: Certificate): Promise<RedisInstallation> {
  const ports: number[] = [];
  const servers: Child[] = [];
  for (let count = 0; count < 6; count++) {
    const port = await freePort();
    ports.push(port);
    const settings = [
      ...tlsOf(certificate, port),
      ...['cluster-enabled yes', `cluster-config-file nodes-${port}.conf`, 'cluster-node-timeout 1000'],
      // The default, ten thousand higher, may be no valid port.
      ...['tls-cluster yes', 'tls-replication yes', `cluster-port ${await freePort()}`],
      ...['cluster-announce-hostname localhost', 'cluster-preferred-endpoint-type hostname'],
      ...[...acl(), `requirepass "${SERVER_PASSWORD}"`, `masterauth "${SERVER_PASSWORD}"`],
    ];
    servers.push(await startServer(folder, port, settings));
  }
  await createCluster(certificate, ports);
  return {
    url: `rediss+cluster://${APP}@${ports.map((port) => `localhost:${port}`).join(',')}`,
    strike: async () => servers[await ownerOfQueues(certificate, ports)]?.kill(),
    stop: async () => void (await Promise.all(servers.map((server) => server.kill()))),
  };
}

function acl(): string[] {
  return [ACL];
}

function tlsOf({ cert, key, authority }: Certificate, port: number): string[] {
  return [
    ...['port 0', `tls-port ${port}`, 'tls-auth-clients no'],
    ...[`tls-cert-file ${cert}`, `tls-key-file ${key}`, `tls-ca-cert-file ${authority}`],
  ];
}

async function startServer(folder: string, port: number, settings: string[], flags: string[] = []) {
  const home = path.join(folder, String(port));
  mkdirSync(home, { recursive: true });
  const file = path.join(home, 'redis.conf');
  const always = [`dir ${home}`, 'bind 127.0.0.1', 'save ""', 'maxmemory-policy noeviction'];
  writeFileSync(file, [...(flags.length > 0 ? always.slice(0, 2) : always), ...settings, ''].join('\n'));
  const child = startChild('redis-server', [file, ...flags], { cwd: home, env: process.env });
  await child.untilPrinted(flags.length > 0 ? 'Sentinel ID is' : 'Ready to accept connections');
  return child;
}

function connect({ authorityText }: Certificate, port: number, password: string): Redis {
  const client = new Redis({ host: 'localhost', port, password, tls: { ca: authorityText } });
  client.on('error', () => {});
  return client;
}

async function untilSentinelsAgree(certificate: Certificate, ports: number[]): Promise<void> {
  for (const port of ports) {
    const client = connect(certificate, port, SENTINEL_PASSWORD);
    await waitFor(
      'the sentinels know each other and the replica',
      async () => {
        const state = await client.info('sentinel');
        return /status=ok,.*slaves=1,sentinels=3/.test(state);
      },
      { timeoutMs: 60_000 },
    );
    client.disconnect();
  }
}

const SLOTS = 16_384;

async function createCluster(certificate: Certificate, ports: number[]): Promise<void> {
  const nodes = ports.map((port) => connect(certificate, port, SERVER_PASSWORD));
  const [first] = nodes;
  if (!first) return;
  const buses = await Promise.all(
    nodes.map(async (node) => String((await node.config('GET', 'cluster-port'))[1])),
  );
  for (const [index, port] of ports.entries())
    if (index > 0) await first.cluster('MEET', '127.0.0.1', port, Number(buses[index]));
  for (let index = 0; index < 3; index++) {
    const [from, to] = [index, index + 1].map((part) => Math.floor((part * SLOTS) / 3)) as [number, number];
    await nodes[index]?.cluster('ADDSLOTSRANGE', from, to - 1);
  }
  for (let index = 3; index < 6; index++) {
    const primary = String(await nodes[index - 3]?.cluster('MYID'));
    await waitFor('it knows its primary', async () => {
      await nodes[index]?.cluster('REPLICATE', primary);
      return true;
    });
  }
  for (const node of nodes)
    await waitFor(
      'the cluster is complete',
      async () => {
        const replicas = String(await node.cluster('NODES')).match(/slave /g);
        return String(await node.cluster('INFO')).includes('cluster_state:ok') && replicas?.length === 3;
      },
      { timeoutMs: 60_000 },
    );
  // A replica that lags behind may not be promoted.
  for (const replica of nodes.slice(3))
    await waitFor('the replica follows', async () =>
      (await replica.info('replication')).includes('master_link_status:up'),
    );
  for (const node of nodes) node.disconnect();
}

/** Returns the node that holds the slot of the queues' keys. */
async function ownerOfQueues(certificate: Certificate, ports: number[]): Promise<number> {
  const client = connect(certificate, ports[0] ?? 0, SERVER_PASSWORD);
  const slot = Number(await client.cluster('KEYSLOT', '{querywright}'));
  client.disconnect();
  return Math.floor((slot * 3) / SLOTS);
}

import { table } from '../../ops/table.ts';
import { contradiction } from '../api-contract.ts';
import { seededRandom } from '../faults/random.ts';
import { misbehave } from '../misbehavior.ts';
import type { ProcessName } from '../processes.ts';
import { sendRaw } from '../raw-request.ts';
import { waitFor } from '../wait-for.ts';
import type { Body } from './contracts.ts';
import { type Message, toMessage } from './drafts.ts';
import { createLedger, expectRows, type Ledger, record, wrongRows } from './ledger.ts';
import { corpusSize, type Plan, plans } from './plans.ts';
import { type Answer, HANG_MS, send } from './send.ts';
import type { Memory, Stage } from './stage.ts';
import { createWorld, pick, type World } from './world.ts';

const CONCURRENCY = 16;
/** Below this many requests a process is still warming up: its memory is printed, not judged. */
const MEMORY_JUDGED_FROM = 50_000;
const DISTURB_EVERY = 20;
const MAX_MEMORY_GROWTH = 0.05;

/** Sends every planned request and returns the violations. */
export async function runCampaign(stage: Stage, requests: number, seed: number): Promise<string[]> {
  const world = await createWorld(stage);
  const ledger = createLedger();
  const all = plans(requests, seed);
  const started = Date.now();
  await sendNext(all, Math.round(requests * 0.2), world, ledger);
  const early = await memory(stage);
  await sendNext(all, requests, world, ledger);
  const seconds = (Date.now() - started) / 1_000;
  await waitFor('the site is ready', async () => (await fetch(`${stage.url}/readyz`)).ok);
  const late = await memory(stage);

  console.info(describe(ledger));
  console.info(
    `${requests} requests in ${seconds.toFixed(0)} s, ${stage.logLines()} log lines; the whole corpus takes ${corpusSize}`,
  );
  const stopped = (['web', 'worker'] as const).filter((name) => stage.processes[name].exited);
  return [
    ...ledger.violations,
    ...(await wrongRows(ledger, world)),
    ...(['web', 'worker'] as const).flatMap((name) => memoryGrowth(name, early[name], late[name], requests)),
    ...stopped.map((name) => `the ${name} process exited: ${stage.processes[name].output().slice(-3_000)}`),
    ...stage.badLines.map((line) => `in the log of ${line}`),
  ];
}

async function sendNext(all: Iterator<Plan>, max: number, world: World, ledger: Ledger): Promise<void> {
  let started = 0;
  const sender = async () => {
    while (started++ < max) {
      const { value: plan, done } = all.next();
      if (done) return;
      await (plan.mode === 'raw' ? sendBytes(plan, world, ledger) : sendDraft(plan, world, ledger));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sender));
}

async function sendDraft(plan: Exclude<Plan, { mode: 'raw' }>, world: World, ledger: Ledger): Promise<void> {
  const { target, salt, mutation } = plan;
  if (salt % DISTURB_EVERY === 0) disturb(world, salt);
  const draft = await target.draft(world, salt, plan.body);
  const message = toMessage(draft, mutation);
  const answer = await send(world.url, message);
  const sent = `${message.method} ${message.path.slice(0, 200)} ${JSON.stringify(message.headers).slice(0, 500)} ${message.body?.toString().slice(0, 500)}`;
  record(ledger, target.name, sent, answer, mutation ? undefined : target.accepts);
  const broken = contradictionOf(message, answer);
  if (broken) ledger.violations.push(broken);
  expectRows(ledger, message, answer);
  if (!mutation && answer.status === 200 && typeof draft.body === 'object') {
    target.remember?.(world, JSON.parse(answer.text) as Body, draft.body);
  }
}

/** Lets a provider misbehave about an earlier payment, in every way that is not itself a failure. */
function disturb({ sandbox, cardOrders, paypalOrders }: World, salt: number): void {
  const random = seededRandom(salt);
  const provider = random() < 0.5 ? 'stripe' : 'paypal';
  const id = pick(provider === 'stripe' ? cardOrders : paypalOrders, salt)?.paymentId;
  if (id) misbehave(sandbox, { provider, id }, random, { mayFail: false });
}

/** Streams are cut after their first bytes, so their events are not judged here. */
function contradictionOf({ method, path }: Message, { status, type, text }: Answer): string | undefined {
  if (status === 0 || type.startsWith('text/event-stream')) return undefined;
  return contradiction({ method, url: path, status, contentType: type, body: text });
}

async function sendBytes(
  { bytes, pieces }: Extract<Plan, { mode: 'raw' }>,
  world: World,
  ledger: Ledger,
): Promise<void> {
  const limits = { silenceMs: 150, endAfterMs: 150 + 20 * pieces, timeoutMs: HANG_MS };
  const answer = await sendRaw(world.url, bytes, { ...limits, pieces });
  const hangs = answer.status === 0 && !answer.closed;
  const [head = '', body = ''] = answer.text.split(/\r\n\r\n(.*)/s);
  const type = /^content-type: *([^\r]*)/im.exec(head)?.[1] ?? '';
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  record(ledger, 'raw bytes', JSON.stringify(Buffer.from(bytes).toString('latin1').slice(0, 900)), {
    status: answer.status,
    type,
    // Bytes after the request may get a separate answer.
    text: type.startsWith('application/json') ? body.slice(0, length) : '',
    ms: hangs ? HANG_MS + 1 : Math.min(answer.ms, HANG_MS),
  });
}

type Memories = Record<ProcessName, Memory>;

async function memory(stage: Stage): Promise<Memories> {
  return { web: await stage.measureMemory('web'), worker: await stage.measureMemory('worker') };
}

function memoryGrowth(name: ProcessName, early: Memory, late: Memory, requests: number): string[] {
  const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  const growth = late.rss / early.rss - 1;
  console.info(
    `${name}: ${mib(early.rss)} after a fifth, ${mib(late.rss)} at the end (${(growth * 100).toFixed(1)} %); ` +
      `reachable ${mib(early.live)}, then ${mib(late.live)}; event loop late by ${late.eventLoopP99Ms.toFixed(1)} ms (p99)`,
  );
  if (requests < MEMORY_JUDGED_FROM || growth <= MAX_MEMORY_GROWTH) return [];
  return [`the memory of the ${name} process grew by ${(growth * 100).toFixed(1)} %`];
}

function describe({ rows }: Ledger): string {
  return table(
    ['group', 'requests', 'accepted', 'refused', 'failed', 'slowest ms'],
    [...rows.values()].map(({ name, requests, accepted, refused, failed, slowestMs }) => [
      ...[name, requests, accepted, refused, failed],
      Math.round(slowestMs),
    ]),
  );
}

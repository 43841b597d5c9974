import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answers, Assignment, FireAssignment } from './assignment.ts';
import { type Attack, attacks, type Scene, type Shot } from './attacks.ts';
import { watch } from './watchers.ts';

// A separate process, so that attackers and honest callers do not wait for each other.

process.on('message', async (assignment: Assignment) => {
  if (assignment.kind === 'fire') process.send?.(await fire(assignment));
  else await watch(assignment);
});

/** 500 a second: more would measure how attackers and site share this machine's cores. */
const SHOT_EVERY_MS = 2;

async function fire({
  url,
  scene,
  name,
  shots,
  addresses,
}: FireAssignment & { url: string; scene: Scene }): Promise<Answers> {
  const all = attacks(scene);
  const attack = all.find((one) => one.name === name);
  if (!attack) throw new Error(`no attack ${name}`);
  const agent = new http.Agent({ keepAlive: true, maxSockets: attack.atOnce });
  const answers: Answers = {};
  const started = Date.now();
  let next = 0;
  const shooter = async () => {
    while (next < shots) {
      const n = next++;
      await sleep(Math.max(0, started + n * SHOT_EVERY_MS - Date.now()));
      const address = addressOf(attack, all.indexOf(attack), n % addresses);
      const status = await shoot(url, agent, attack.shot(n), address);
      answers[status] = (answers[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(attack.atOnce, shots) }, shooter));
  agent.destroy();
  return answers;
}

/** Every attack has separate addresses, so that a limit reached by one of them does not hide the next. */
function addressOf({ isFromOneNetwork = false }: Attack, index: number, n: number): string {
  if (isFromOneNetwork) return `2001:db8:${index}:${n.toString(16)}::1`;
  return `10.${index * 10 + Math.floor(n / 250)}.${n % 250}.9`;
}

async function shoot(url: string, agent: http.Agent, shot: Shot, address: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const { method, path, body, stalls, flood } = shot;
  if (flood) return pour(url, shot, address);
  const chunked = 'transfer-encoding' in shot.headers;
  const headers = {
    ...shot.headers,
    'x-forwarded-for': address,
    ...(body && !chunked ? { 'content-length': String(body.length) } : {}),
  };
  const call = http.request({ hostname, port, method, path, headers, agent });
  const status = new Promise<number>((resolve) => {
    call.once('response', (answer) => {
      answer.resume();
      answer.once('error', () => {});
      answer.once('close', () => resolve(answer.statusCode ?? 0));
    });
    call.on('error', () => resolve(0));
  });
  if (stalls) call.write(body?.subarray(0, 100_000));
  else call.end(body);
  const answered = await status;
  call.destroy();
  if (!call.closed) await once(call, 'close');
  return answered;
}

const UNREAD_MS = 500;
const CUT_OFF_WITHIN_MS = 3_000;

/** Sends a flood on a connection of its own, and reads late. One that is not cut off counts as accepted. */
async function pour(url: string, { method, path, headers, flood }: Shot, address: string): Promise<number> {
  const { host, hostname, port } = new URL(url);
  const fields = Object.entries({ host, ...headers, 'x-forwarded-for': address });
  const head = [`${method} ${path} HTTP/1.1`, ...fields.map((field) => field.join(': ')), '', ''].join(
    '\r\n',
  );
  const socket = net.connect(Number(port), hostname).on('error', () => {});
  socket.write(head + flood);
  // A socket that never reads does not notice its end.
  const reading = setTimeout(() => socket.resume(), UNREAD_MS);
  const deadline = AbortSignal.timeout(CUT_OFF_WITHIN_MS);
  const status = await once(socket, 'close', { signal: deadline }).then(
    () => 0,
    () => 200,
  );
  clearTimeout(reading);
  socket.destroy();
  return status;
}

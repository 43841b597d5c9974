import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import type { Answers, Assignment, FireAssignment, WatchAssignment } from './assignment.ts';
import type { Scene } from './attacks.ts';
import type { Sighting } from './watchers.ts';

export interface Attacker {
  attack(attack: FireAssignment): Promise<Answers>;
  /** Opens event streams, which stay open until the attacker is dismissed. */
  watch(watch: WatchAssignment, onSighting: (sighting: Sighting) => void): void;
  dismiss(): void;
}

export interface Measured {
  requests: number;
  /** Answers that an honest caller must not get, by what was asked. */
  failures: string[];
  p50Ms: number;
  p99Ms: number;
}

export interface HonestCallers {
  /** Measures what they see until `work` has ended. */
  during<T>(work: Promise<T>): Promise<{ result: T; seen: Measured }>;
  dismiss(): void;
}

/** Starts the process that attacks `url`. */
export function hireAttacker(url: string, scene: Scene): Attacker {
  const child = start('attacker.ts');
  // Attackers have machines of their own. On this one they get what the others leave.
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const assign = (assignment: Assignment) => child.send(assignment);
  return {
    async attack(attack) {
      assign({ kind: 'fire', url, scene, ...attack });
      const [answers] = await once(child, 'message');
      return answers as Answers;
    },
    watch(watch, onSighting) {
      child.on('message', (sighting) => onSighting(sighting as Sighting));
      assign({ kind: 'watch', url, scene, ...watch });
    },
    dismiss: () => void child.kill('SIGKILL'),
  };
}

/** Starts the process that uses `url` as visitors, buyers and Stripe do. */
export function hireHonestCallers(url: string): HonestCallers {
  const child = start('honest-callers.ts', url);
  return {
    async during(work) {
      child.send('start');
      const result = await work.finally(() => child.send('stop'));
      const [seen] = await once(child, 'message');
      return { result, seen: seen as Measured };
    },
    dismiss: () => void child.kill('SIGKILL'),
  };
}

function start(file: string, ...args: string[]): ChildProcess {
  return fork(path.join(import.meta.dirname, file), args, { execArgv: ['--import', 'tsx'] });
}

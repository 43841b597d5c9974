import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
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

/** Starts the process that attacks `url`. */
export function hireAttacker(url: string, scene: Scene): Attacker {
  const file = path.join(import.meta.dirname, 'attacker.ts');
  const child: ChildProcess = fork(file, { execArgv: ['--import', 'tsx'] });
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

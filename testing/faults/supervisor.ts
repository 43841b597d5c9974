import { type Process, type ProcessName, startProcess } from '../processes.ts';

interface Supervised {
  readonly kills: number;
  /** `kill -9`, then starts it again at once, as a platform does. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Keeps a process running. */
export async function superviseProcess(name: ProcessName, env: Record<string, string>): Promise<Supervised> {
  let kills = 0;
  let current: Process = await startProcess(name, env);
  return {
    get kills() {
      return kills;
    },
    async kill() {
      kills++;
      await current.kill();
      current = await startProcess(name, env);
    },
    async stop() {
      await current.stop();
    },
  };
}

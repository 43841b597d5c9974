import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A part of the sandbox whose state survives a restart. */
export interface Persistent {
  snapshot(): unknown;
  restore(snapshot: unknown): void;
}

const QUIET_MS = 200;

/** Keeps the state in one JSON file, written shortly after a change, and less often the longer a write takes. */
export class StateFile {
  readonly #path: string | undefined;
  readonly #parts = new Map<string, Persistent>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #lastCostMs = 0;

  constructor(path: string | undefined) {
    this.#path = path;
  }

  keep(name: string, part: Persistent): void {
    this.#parts.set(name, part);
  }

  /** Restores the state of the previous run; an unreadable file is moved aside with a warning. */
  load(): void {
    const path = this.#path;
    if (!path) return;
    mkdirSync(dirname(path), { recursive: true });
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      return;
    }
    try {
      const saved: Record<string, unknown> = JSON.parse(text);
      for (const [name, part] of this.#parts) if (saved[name] !== undefined) part.restore(saved[name]);
    } catch (error) {
      console.warn(`sandbox: ${path} is unreadable, starting empty (kept as ${path}.bad)`, error);
      renameSync(path, `${path}.bad`);
    }
  }

  /** Schedules a write. Cheap: call it after every change. */
  touch = (): void => {
    if (!this.#path || this.#timer) return;
    this.#timer = setTimeout(() => this.#startWrite(), Math.max(QUIET_MS, this.#lastCostMs * 20));
    this.#timer.unref();
  };

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    if (!this.#path) return;
    writeFileSync(`${this.#path}.new`, this.#serialize());
    renameSync(`${this.#path}.new`, this.#path);
  }

  #startWrite(): void {
    this.#timer = undefined;
    this.#writing = this.#writing
      .then(() => this.#write())
      .catch((error) => console.error('sandbox state', error));
  }

  async #write(): Promise<void> {
    if (!this.#path) return;
    const started = performance.now();
    const text = this.#serialize();
    await mkdir(dirname(this.#path), { recursive: true });
    await writeFile(`${this.#path}.new`, text);
    await rename(`${this.#path}.new`, this.#path);
    this.#lastCostMs = performance.now() - started;
  }

  #serialize(): string {
    return JSON.stringify(
      Object.fromEntries([...this.#parts].map(([name, part]) => [name, part.snapshot()])),
    );
  }
}

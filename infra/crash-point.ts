let armed: string | undefined;

/** Fault tests only (`CRASH_AT`, refused in production): which point kills the process. */
export function armCrashPoint(name: string | undefined): void {
  armed = name;
}

/** Kills the process as `kill -9` would, if a fault test armed this point. */
export function crashPoint(name: string): void {
  if (armed === name) process.kill(process.pid, 'SIGKILL');
}

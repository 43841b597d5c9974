import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';

/** Runs PostgreSQL's programs as the current user or, since PostgreSQL refuses root, as an unprivileged one. */
export interface Runner {
  command(program: string, args: string[]): [command: string, args: string[]];
  /** Makes PostgreSQL's user the owner of the folder. */
  own(folder: string): void;
}

/**
 * As root, `setpriv` (util-linux) drops to an existing unprivileged user. With `setpriv` the kernel also stops the
 * database (fast shutdown) if the process that started it is killed.
 * @param program is run once per variant, to find the capabilities that it needs and this machine grants
 * @throws Error if no variant works, for example as root without util-linux
 */
export function findRunner(program: string): Runner {
  if (process.platform !== 'linux') return asIs;
  const endsWithParent = ['--pdeathsig', 'INT'];
  if (process.getuid?.() !== 0) return works(endsWithParent, program) ? withSetpriv(endsWithParent) : asIs;

  const uid = userId('postgres') ?? userId('nobody') ?? 65_534;
  const asUser = [...endsWithParent, `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
  for (const options of [
    [...asUser, ...keepOnly('dac_read_search')],
    // Containers usually grant the second only.
    [...asUser, ...keepOnly('dac_override')],
    asUser,
  ]) {
    if (works(options, program)) return withSetpriv(options, uid);
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and no other user can run it here: start as another user, or set DATABASE_URL',
  );
}

const asIs: Runner = { command: (program, args) => [program, args], own: () => {} };

/**
 * Keeps one capability, which lets PostgreSQL enter folders that only root may, such as a checkout in a `mktemp -d`
 * folder; `no_setuid_fixup` keeps it effective for access(2), with which PostgreSQL finds its own programs.
 */
function keepOnly(name: string): string[] {
  const capability = `-all,+${name}`;
  return [
    '--securebits=+no_setuid_fixup',
    `--bounding-set=${capability}`,
    `--inh-caps=${capability}`,
    `--ambient-caps=${capability}`,
  ];
}

function withSetpriv(options: string[], uid?: number): Runner {
  return {
    command: (program, args) => ['setpriv', [...options, program, ...args]],
    own: (folder) => {
      if (uid !== undefined) chownSync(folder, uid, uid);
    },
  };
}

function works(options: string[], program: string): boolean {
  return spawnSync('setpriv', [...options, program, '--version'], { stdio: 'ignore' }).status === 0;
}

function userId(name: string): number | undefined {
  try {
    return Number(
      execFileSync('id', ['-u', name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return undefined;
  }
}

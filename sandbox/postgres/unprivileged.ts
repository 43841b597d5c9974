import { execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';

/** How to run PostgreSQL's programs here: as the own user, or, since PostgreSQL refuses root, as somebody else. */
export interface Runner {
  command(program: string, args: string[]): [command: string, args: string[]];
  /** Gives the folder to the user that PostgreSQL runs as. */
  own(folder: string): void;
}

const plain: Runner = { command: (program, args) => [program, args], own: () => {} };

/**
 * As root, `setpriv` (util-linux) drops to an unprivileged user without creating one. The one capability left,
 * CAP_DAC_READ_SEARCH, lets it pass folders that only root may enter, such as a checkout in a `mktemp -d` folder;
 * `no_setuid_fixup` keeps it effective for access(2), with which PostgreSQL looks for its own programs.
 */
export function findRunner(): Runner {
  if (process.getuid?.() !== 0) return plain;
  const uid = userId('postgres') ?? userId('nobody') ?? 65_534;
  const capability = '-all,+dac_read_search';
  const options = [
    `--reuid=${uid}`,
    `--regid=${uid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    `--bounding-set=${capability}`,
    `--inh-caps=${capability}`,
    `--ambient-caps=${capability}`,
  ];
  return {
    command: (program, args) => ['setpriv', [...options, program, ...args]],
    own: (folder) => chownSync(folder, uid, uid),
  };
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

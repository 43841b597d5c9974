import path from 'node:path';

const here = import.meta.dirname;

/** The package's own folder, also when running compiled from its `dist/`: other files are not copied there. */
export const packageFolder = path.basename(here) === 'dist' ? path.dirname(here) : here;

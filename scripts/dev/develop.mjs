import path from 'node:path';
import { launch } from '@querywright/sandbox/launcher/launch';
import { freePort } from '@querywright/sandbox/listen';
import { servePages } from './pages.mjs';

/** As `npm start`, but from the sources, and with Vite in front of the API. */
export async function develop() {
  await launch(async ({ port }) => {
    const apiPort = await freePort();
    const apiUrl = `http://localhost:${apiPort}`;
    return {
      apiUrl,
      nodeOptions: ['--import', 'tsx'],
      release: path.resolve('ops/migrate.ts'),
      programs: [
        { name: 'sandbox', script: path.resolve('packages/sandbox/main.ts') },
        { name: 'worker', script: path.resolve('worker/main.ts') },
        { name: 'web', script: path.resolve('api/main.ts'), env: { PORT: String(apiPort) } },
      ],
      alongside: (restart) => servePages({ port, apiUrl, restart }),
    };
  });
}

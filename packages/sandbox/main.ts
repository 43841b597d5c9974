import { createSandbox } from './app.ts';
import { sandboxConfigFromEnvironment } from './config.ts';

const HARD_STOP_MS = 5000;

try {
  const sandbox = createSandbox(sandboxConfigFromEnvironment());
  const { url, smtpPort } = await sandbox.listen();
  console.info(`sandbox: ${url} (inbox: ${url}/inbox, SMTP on port ${smtpPort})`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      setTimeout(() => process.exit(1), HARD_STOP_MS).unref();
      sandbox.close().then(
        () => process.exit(0),
        (error) => {
          console.error('sandbox: could not stop cleanly', error);
          process.exit(1);
        },
      );
    });
  }
} catch (error) {
  console.error(`sandbox: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

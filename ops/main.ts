import { Command } from 'commander';
import { createDatabase } from '../db/database.ts';
import { readConfigOrExit } from '../infra/config.ts';
import { readOrderTimeline } from './order-timeline.ts';
import { printOrder } from './print-order.ts';

// `npm run ops -- …`: what an operator asks. Answers as tables, or with --json for scripts; 1 if there is no such thing.
const program = new Command('ops').description('Looks into the order pipeline');
const order = program.command('order').description('one order');

order
  .command('show')
  .description('the order with its history, payment events, jobs and mails on one time line')
  .argument('<id>', 'order id')
  .option('--json', 'for scripts')
  .action(async (id: string, { json }: { json?: boolean }) => {
    const db = createDatabase(readConfigOrExit().databaseUrl, {
      poolMax: 2,
      applicationName: 'querywright ops',
    });
    try {
      const found = /^[0-9a-f-]{36}$/i.test(id) ? await readOrderTimeline(db, id) : undefined;
      if (!found) {
        console.error(`There is no order ${id}`);
        process.exitCode = 1;
      } else if (json) {
        console.info(JSON.stringify(found, null, 2));
      } else {
        printOrder(found);
      }
    } finally {
      await db.destroy();
    }
  });

await program.parseAsync();

import type { Command } from 'commander';
import type { PaymentMethod } from '../core/orders.ts';
import type { PaymentGateway } from '../providers/gateway.ts';
import { describeFindings, hasProblem } from './findings.ts';
import type { Ops, OpsParts } from './parts.ts';
import { confirm } from './terminal.ts';
import { checkWebhooks, type WebhookCheck } from './webhook-check.ts';

interface Options {
  create?: boolean;
  yes?: boolean;
  json?: boolean;
}

interface Created {
  provider: PaymentMethod;
  setting: string;
  value: string;
  next: string;
}

export function addWebhookCommands(program: Command, ops: Ops): void {
  const { terminal } = ops;
  program
    .command('webhooks')
    .description('our endpoints at the providers')
    .command('check')
    .description('asks the providers whether our endpoints are registered, enabled and complete')
    .option('--create', 'register missing endpoints and print the settings to add')
    .option('--yes', 'skip the confirmation prompt')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      ops.use(async (parts) => {
        const checks = await checkWebhooks(parts);
        const findings = checks.flatMap((check) => check.findings);
        if (!options.json) terminal.print(describeFindings(findings));
        const created = options.create ? await createMissing(parts, checks, options) : [];
        if (options.json) terminal.print(JSON.stringify({ findings, created }, null, 2));
        else for (const { next, setting, value } of created) terminal.print(`${next}:\n${setting}=${value}`);
        const done = created.map(({ provider }) => provider);
        if (hasProblem(checks.filter((c) => !done.includes(c.provider)).flatMap((c) => c.findings)))
          process.exitCode = 1;
      }),
    );

  async function createMissing(
    parts: OpsParts,
    checks: WebhookCheck[],
    options: Options,
  ): Promise<Created[]> {
    const created: Created[] = [];
    const needed = checks.filter(({ isCreationNeeded }) => isCreationNeeded);
    if (needed.length === 0) terminal.printError('Nothing to register');
    for (const { provider, url, registeredIds } of needed) {
      const { webhook, webhookRegistry, handledEvents }: PaymentGateway = parts.gateways[provider];
      if (!webhookRegistry) continue;
      if (registeredIds.length > 0 && !webhookRegistry.allowsDuplicateUrls) {
        terminal.printError(`${provider} takes an address once: change the webhook in its dashboard`);
        continue;
      }
      await confirm(
        terminal,
        options,
        `This registers ${url} at ${provider}, for ${handledEvents.length} events.`,
      );
      const setting = await webhookRegistry.create(url);
      const inFront = webhookRegistry.allowsDuplicateUrls && webhook.isConfigured;
      const where = inFront ? 'this before the current value, separated by a comma' : 'this';
      const cleanUp = registeredIds.length > 0 ? `; then delete ${registeredIds.join(' and ')}` : '';
      const next = `Registered at ${provider}. Set ${where}, and restart the web processes${cleanUp}`;
      created.push({ provider, ...setting, next });
    }
    return created;
  }
}

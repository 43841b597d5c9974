import { type PaymentMethod, paymentMethods } from '../core/orders.ts';
import type { PaymentGateway, RegisteredWebhook, WebhookRegistry } from '../providers/gateway.ts';
import { ProviderError } from '../providers/provider-error.ts';
import type { Finding } from './findings.ts';
import type { OpsParts } from './parts.ts';

export interface WebhookCheck {
  provider: PaymentMethod;
  url: string;
  findings: Finding[];
  /** The webhooks registered for the address; normally one. */
  registeredIds: string[];
  /** Whether registering the address (again) resolves the findings. */
  isCreationNeeded: boolean;
}

type Complaint = Required<Pick<Finding, 'state' | 'found' | 'action'>>;

/** Asks the providers how our webhooks are registered. */
export function checkWebhooks({ config, gateways }: OpsParts): Promise<WebhookCheck[]> {
  return Promise.all(
    paymentMethods.map(async (provider) => {
      const url = `${config.publicUrl}/api/webhooks/${provider}`;
      const { complaints, ...check } = await judge(provider, gateways[provider], url);
      const named = complaints.map((complaint) => ({ check: provider, ...complaint }));
      const findings: Finding[] = named.length > 0 ? named : [{ check: provider, state: 'ok', found: url }];
      return { provider, url, findings, ...check };
    }),
  );
}

async function judge(provider: PaymentMethod, gateway: PaymentGateway, url: string) {
  const { isConfigured } = gateway.webhook;
  const unknown = { registeredIds: [], isCreationNeeded: false };
  const registry = gateway.webhookRegistry;
  const off = (registered?: RegisteredWebhook) =>
    isConfigured ? [] : [endpointOff(provider, registry, registered)];
  if (!registry) return { complaints: off(), ...unknown };
  try {
    const registered = await registry.list();
    const ours = registered.filter((webhook) => webhook.url === url);
    const [best, ...worse] = ours
      .map((webhook) => faultsOf(webhook, gateway.handledEvents, registry))
      .sort((one, other) => one.length - other.length);
    if (!best) {
      const complaints = [...off(), notRegistered(url, registered)];
      return { complaints, registeredIds: [], isCreationNeeded: true };
    }
    const complaints = [...off(ours[0]), ...best, ...(worse.length > 0 ? [duplicateRegistration(ours)] : [])];
    const isSecretMissing = !isConfigured && registry.allowsDuplicateUrls;
    return {
      complaints,
      registeredIds: ours.map(({ id }) => id),
      isCreationNeeded: best.length > 0 || isSecretMissing,
    };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { complaints: [...off(), cannotBeAsked(error)], ...unknown };
  }
}

function faultsOf(
  { id, isEnabled, events, apiVersion }: RegisteredWebhook,
  handled: readonly string[],
  { apiVersion: ourVersion, configuredId, allowsDuplicateUrls }: WebhookRegistry,
): Complaint[] {
  const missing = events.includes('*') ? [] : handled.filter((type) => !events.includes(type));
  const orReplace = allowsDuplicateUrls ? ', or replace it: webhooks check --create' : '';
  const complaints: Complaint[] = [];
  if (!isEnabled) complaints.push(problem(`${id} is disabled`, `enable it in the dashboard${orReplace}`));
  if (missing.length > 0)
    complaints.push(problem(`${id} lacks ${missing.join(', ')}`, `add them in the dashboard${orReplace}`));
  if (configuredId && configuredId !== id)
    complaints.push(
      problem(
        `${id} is registered but ${configuredId} is configured, so every signature fails`,
        `PAYPAL_WEBHOOK_ID=${id}`,
      ),
    );
  if (ourVersion && ourVersion !== apiVersion)
    complaints.push({
      state: 'warning',
      found: `${id} ${apiVersion ? `has API version ${apiVersion}` : "has the account's default API version"}, not ${ourVersion}: each event costs a call`,
      action: 'a version cannot be changed: replace it: webhooks check --create',
    });
  return complaints;
}

function notRegistered(url: string, registered: RegisteredWebhook[]): Complaint {
  const others = registered.map((webhook) => webhook.url).join(', ');
  return problem(
    `${url} is not registered${others ? `; registered: ${others}` : ''}`,
    'register it: webhooks check --create; or correct PUBLIC_URL',
  );
}

function duplicateRegistration(ours: RegisteredWebhook[]): Complaint {
  return {
    state: 'warning',
    found: `registered ${ours.length} times: ${ours.map(({ id }) => id).join(', ')}`,
    action: 'delete those whose secret is no longer in use; each event comes several times, to one effect',
  };
}

function endpointOff(
  provider: PaymentMethod,
  registry?: WebhookRegistry,
  registered?: RegisteredWebhook,
): Complaint {
  const setting = provider === 'stripe' ? 'STRIPE_WEBHOOK_SECRET' : 'PAYPAL_WEBHOOK_ID';
  return problem(
    `${setting} is empty: webhooks are answered 404`,
    actionWhenOff(setting, registry, registered),
  );
}

/**
 * Stripe's API returns a secret only when its endpoint is created (https://docs.stripe.com/api/webhook_endpoints/object);
 * the dashboard shows and rolls it (https://docs.stripe.com/webhooks#roll-endpoint-secrets).
 */
function actionWhenOff(setting: string, registry?: WebhookRegistry, registered?: RegisteredWebhook): string {
  if (!registry || !registered) return `set ${setting}`;
  if (!registry.allowsDuplicateUrls) return `${setting}=${registered.id}`;
  return `copy the signing secret of ${registered.id} from the dashboard, or replace it: webhooks check --create`;
}

function cannotBeAsked({ message, statusCode }: ProviderError): Complaint {
  const isRefused = statusCode === 401 || statusCode === 403;
  return problem(
    message,
    isRefused
      ? 'check the key, and that it may read webhooks'
      : 'try again; see the status page of the provider',
  );
}

function problem(found: string, action: string): Complaint {
  return { state: 'problem', found, action };
}

import type { RunningSandbox } from './sandbox.ts';

interface PayPalAnswer {
  status: number;
  // Answers are validated against PayPal's documents elsewhere.
  body: Record<string, never> & { id: string; status: string };
}

/** Calls PayPal's API as a server does, with its own access token. */
export class PayPalClient {
  readonly #sandbox: RunningSandbox;
  #token: string | undefined;

  constructor(sandbox: RunningSandbox) {
    this.#sandbox = sandbox;
  }

  async token(more: Record<string, string> = {}): Promise<{ access_token: string; expires_in: number }> {
    const { clientId, clientSecret } = this.#sandbox.config.paypal;
    const answer = await fetch(`${this.#sandbox.url}/paypal/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...more }),
    });
    return (await answer.json()) as { access_token: string; expires_in: number };
  }

  async call(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<PayPalAnswer> {
    this.#token ??= (await this.token()).access_token;
    const answer = await fetch(`${this.#sandbox.url}/paypal${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : {} };
  }

  async control(path: string, request: object = {}): Promise<PayPalAnswer['body']> {
    const answer = await fetch(`${this.#sandbox.url}/paypal/sandbox${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as PayPalAnswer['body'];
  }

  createOrder(more: object = {}, headers: Record<string, string> = {}): Promise<PayPalAnswer> {
    const unit = {
      amount: { currency_code: 'USD', value: '2999.00' },
      custom_id: 'order-1',
      invoice_id: crypto.randomUUID(),
      description: 'Database Audit',
      ...more,
    };
    return this.call('POST', '/v2/checkout/orders', { intent: 'CAPTURE', purchase_units: [unit] }, headers);
  }

  async buy(outcome = 'completed'): Promise<{ orderId: string; captureId: string; answer: PayPalAnswer }> {
    const { body } = await this.createOrder();
    await this.control(`/orders/${body.id}/approve`, { outcome });
    const answer = await this.call('POST', `/v2/checkout/orders/${body.id}/capture`);
    const order = this.#sandbox.paypal.context.state.orders.get(body.id);
    return { orderId: body.id, captureId: order?.purchase_units[0].payments?.captures[0]?.id ?? '', answer };
  }
}

import type { Config } from '../infra/config.ts';
import { createPaypalGateway, type PaypalGateway } from './paypal/gateway.ts';
import { createStripeGateway, type StripeGateway } from './stripe/gateway.ts';

export interface Gateways {
  stripe: StripeGateway;
  paypal: PaypalGateway;
}

export function openGateways(config: Config): Gateways {
  return {
    stripe: createStripeGateway(config.stripe, config.deployment),
    paypal: createPaypalGateway(config.paypal, config.deployment, config.publicUrl),
  };
}

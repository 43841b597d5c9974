import { deskEntryFor } from '../../core/desk-paths.ts';
import { checkoutFor, paymentFor, successFor } from '../../core/paths.ts';
import { serviceBySlug } from '../../core/services.ts';

const siteUrl = 'https://querywright.example';
export const site = { siteUrl, opsCommand: 'node dist/ops/main.js', deskUrl: null };
export const deskUrlOf = (page: string) => siteUrl + deskEntryFor(page);
export const audit = serviceBySlug('audit');
export const paymentId = 'pi_3QK2mA9ZvKYlo2C1x8Wd4RtB';
const orderId = '7d0c3a52-9f6e-4b1d-8a27-5e4f1c90b3d8';

export const order = {
  ...site,
  orderId,
  serviceName: audit.name,
  customerName: 'Maya Lindqvist',
  customerEmail: 'maya.lindqvist@northfreight.example',
  amount: audit.price,
  currency: 'USD',
  paymentMethod: 'stripe',
  methodType: null,
  orderUrl: `${siteUrl}${successFor(orderId)}`,
} as const;

export const paymentUrl = `${siteUrl}${paymentFor(orderId)}`;
export const reorderUrl = `${siteUrl}${checkoutFor('c1ae0c39-5b52-4c57-9a3a-0a8f7d1e6f20')}`;

export function stripePage(path: string): string {
  return `https://dashboard.stripe.com/${path}`;
}

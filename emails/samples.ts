import { checkoutFor, newsletterConfirmFor, newsletterUnsubscribeFor, successFor } from '../core/paths.ts';
import { serviceBySlug } from '../core/services.ts';
import type { EmailProps } from './props.ts';

const siteUrl = 'https://querywright.example';
const site = { siteUrl, opsCommand: 'node dist/ops/main.js' };
const audit = serviceBySlug('audit');
const optimization = serviceBySlug('optimization');
const serviceId = 'c1ae0c39-5b52-4c57-9a3a-0a8f7d1e6f20';
const orderId = '7d0c3a52-9f6e-4b1d-8a27-5e4f1c90b3d8';

const order = {
  ...site,
  orderId,
  serviceName: audit.name,
  customerName: 'Maya Lindqvist',
  customerEmail: 'maya.lindqvist@northfreight.example',
  amount: audit.price,
  currency: 'USD',
  paymentMethod: 'stripe',
  orderUrl: `${siteUrl}${successFor(orderId)}`,
} as const;

/** Plausible data for every kind: for the preview page and the tests. */
export const sampleProps: EmailProps = {
  order_confirmation: { ...order, paidAt: '2026-11-12T17:42:08Z', supportDays: audit.supportDays },
  order_notice: {
    ...order,
    paidAt: '2026-11-12T17:42:08Z',
    providerPaymentId: 'pi_3QK2mA9ZvKYlo2C1x8Wd4RtB',
  },
  payment_failed: {
    ...order,
    failureReason: 'Your card has insufficient funds.',
    retryUrl: `${siteUrl}${checkoutFor(serviceId)}`,
  },
  refund_notice: {
    ...order,
    serviceName: optimization.name,
    amount: optimization.price,
    paymentMethod: 'paypal',
    refundAmount: 100_000,
    totalRefunded: 150_000,
    refundedAt: '2026-11-20T09:15:00Z',
  },
  dispute_notice: {
    ...order,
    state: 'opened',
    disputeId: 'du_1QK9xT9ZvKYlo2C1bN5sV0aE',
    disputedAmount: audit.price,
    disputeReason: 'product_not_received',
    occurredAt: '2026-11-24T14:03:00Z',
    evidenceDueAt: '2026-12-03T23:59:59Z',
  },
  review_alert: {
    ...order,
    receivedAmount: 299_900,
    receivedCurrency: 'EUR',
    receivedOrderId: orderId,
    providerObjectId: 'pi_3QK2mA9ZvKYlo2C1x8Wd4RtB',
    occurredAt: '2026-11-12T17:42:08Z',
  },
  duplicate_payment_alert: {
    ...order,
    firstPaymentId: 'pi_3QK2mA9ZvKYlo2C1x8Wd4RtB',
    secondPaymentMethod: 'paypal',
    secondPaymentId: '8MC585209K746392H',
    secondAmount: audit.price,
    secondCurrency: 'USD',
    occurredAt: '2026-11-12T17:44:31Z',
  },
  contact_notice: {
    ...site,
    messageId: '2b9a6f04-1d7c-4f38-9c55-e0a7d6b81f42',
    name: 'Jonas Okafor',
    email: 'jonas.okafor@tallyworks.example',
    message: [
      'Hello,',
      '',
      'our nightly invoice run on PostgreSQL 15 went from 40 minutes to 6 hours since we passed 900 million rows:',
      '',
      '    Seq Scan on invoices  (rows=912004113)',
      '      Filter: (status = ANY (...) AND due_on < now())',
      '',
      'Two indexes exist, neither is used. Would the audit fit, or the optimization?',
      '',
      'Jonas',
    ].join('\n'),
    receivedAt: '2026-11-12T08:20:00Z',
  },
  contact_acknowledgement: { ...site, name: 'Jonas Okafor', receivedAt: '2026-11-12T08:20:00Z' },
  newsletter_confirmation: {
    ...site,
    confirmUrl: `${siteUrl}${newsletterConfirmFor('eyJhbGciOiJIUzI1NiJ9.bmV3c2xldHRlcjpjb25maXJt.q3k0Xc9f8hVZ2w')}`,
    validHours: 48,
  },
  newsletter_welcome: {
    ...site,
    unsubscribeUrl: `${siteUrl}${newsletterUnsubscribeFor('eyJhbGciOiJIUzI1NiJ9.bmV3c2xldHRlcjp1bnN1Yg.Zp41sLw0')}`,
  },
  enrollment_notice: {
    ...site,
    userId: 'c41f7e90-63ab-4c0e-b1d2-97f05a3e6d18',
    email: 'priya.raman@helixledger.example',
    personName: 'Priya Raman',
    companyName: 'Helix Ledger',
    role: 'VP of Engineering',
    phone: '+1 415 555 0142',
    primaryUseCase:
      'Move a 3 TB MySQL 5.7 ledger to PostgreSQL without downtime.\nReplica lag already reaches 90 seconds at month end.',
    teamSize: '51-200',
    complianceNeeds: 'SOC 2 Type II, PCI DSS',
    completedAt: '2026-11-12T19:05:00Z',
  },
};

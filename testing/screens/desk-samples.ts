import type { Concern } from '../../core/concerns.ts';
import type { TodayItem, TodayView } from '../../core/desk.ts';
import type { DeskOrder } from '../../core/desk-order.ts';
import type { OrderPage, SalesWeek } from '../../core/desk-orders.ts';
import type { EnrollmentPage, MessagePage, NewsletterFigures } from '../../core/desk-people.ts';
import type { RecordPage } from '../../core/desk-record.ts';
import type { OrderStatus } from '../../core/orders.ts';
import { type ServiceSlug, serviceBySlug } from '../../core/services.ts';
import type { StaffView } from '../../core/staff.ts';

// What the desk's pictures show.

export const me: StaffView = {
  name: 'olive.park@querywright.example',
  role: 'operator',
  freshUntil: '2099-01-01T00:00:00Z',
  sandbox: false,
};

const maya = '7d0c3a52-9f6e-4b1d-8a27-5e4f1c90b3d8';

const rows: [string, OrderStatus, ServiceSlug][] = [
  ['Maya Lindqvist', 'partially_refunded', 'audit'],
  ['Tomás Herrera', 'review', 'design'],
  ['Ines Okafor', 'paid', 'migration'],
  ['Wolfeschlegelsteinhausenbergerdorff the Elder', 'disputed', 'optimization'],
  ['Ada Byron', 'pending', 'audit'],
  ['Jonas Weber', 'canceled', 'audit'],
];

export const page: OrderPage = {
  orders: rows.map(([customerName, status, slug], index) => ({
    id: index === 0 ? maya : `00000000-0000-4000-8000-00000000000${index}`,
    status,
    amount: serviceBySlug(slug).price,
    currency: 'USD',
    serviceName: serviceBySlug(slug).name,
    customerName,
    customerEmail: `${customerName.split(' ')[0]?.toLowerCase()}@northfreight.example`,
    paymentMethod: index % 2 ? 'paypal' : 'stripe',
    paymentId: `pi_${index}`,
    createdAt: `2026-11-${20 - index}T1${index}:40:00Z`,
  })),
  next: '2026-11-15T10:00:00.000000Z_00000000-0000-4000-8000-000000000005',
};

export const weeks: SalesWeek[] = [4, 2, 0, 3, 5, 4, 6, 3, 7, 5, 8, 6].map((orders, index) => ({
  week: new Date(Date.UTC(2026, 7, 31 + 7 * index)).toISOString().slice(0, 10),
  orders,
  revenue: orders * 389_900 - (index === 8 ? 250_000 : 0),
}));

const requestId = '3f1c8a5e-2b7d-4e6f-9a0c-1d2e3f4a5b6c';

export const order: DeskOrder = {
  ...(page.orders[0] as OrderPage['orders'][number]),
  amountRefunded: 50_000,
  failureReason: null,
  paidAt: '2026-11-20T10:42:00Z',
  payments: [
    {
      id: 'pi_3QK2vX2eZvKYlo2C1gFJtX0p',
      provider: 'stripe',
      methodType: null,
      role: 'current',
      taken: { amount: 299_900, currency: 'USD' },
      refundable: 249_900,
      isKeepable: false,
      onlyInFull: false,
      refunds: [{ id: 're_1', amount: 50_000, status: 'succeeded' }],
      dashboardUrl: 'https://dashboard.stripe.com/payments/pi_3QK2vX2eZvKYlo2C1gFJtX0p',
    },
  ],
  disputes: [
    {
      id: 'du_1QK9xT9ZvKYlo2C1bN5sV0aE',
      amount: 299_900,
      outcome: 'won',
      ending: null,
      reason: 'product_not_received',
      isRefundable: false,
      byRefund: false,
      evidenceDueAt: '2026-11-27T23:59:00Z',
      dashboardUrl: 'https://dashboard.stripe.com/disputes/du_1QK9xT9ZvKYlo2C1bN5sV0aE',
    },
  ],
  timeline: [
    ['move', 'pending (order created)'],
    ['event', 'stripe payment_intent.succeeded evt_1QK2vX2eZvKYlo2C: processed'],
    ['move', 'pending → paid (webhook)'],
    ['job', 'apply-payment-event #4711: done, 0 failures'],
    ['mail', 'Order confirmation #512 to maya@northfreight.example: sent'],
    ['person', 'olive.park@querywright.example: refund of $500.00: Half a day less', requestId],
    ['move', 'paid → partially_refunded (operator)', requestId],
    ['person', 'olive.park@querywright.example: refund of $300.00: The rest of the day', requestId],
    ['job', 'refund-payment #4720: dead, 8 failures, last: ProviderError: Stripe: charge_disputed'],
  ].map(([what, text, request], index) => ({
    id: String(index),
    at: `2026-11-20T10:4${index}:00Z`,
    what: what as 'move',
    text: text as string,
    name: text?.includes('#4720') ? 'refund-payment' : null,
    status: text?.includes('#4720') ? 'dead' : null,
    requestId: request ?? null,
  })),
  isForDecision: false,
  isCancelable: false,
};

export const payouts: TodayView['payouts'] = [
  { provider: 'stripe', url: 'https://dashboard.stripe.com/payouts' },
  { provider: 'paypal', url: 'https://www.paypal.com/activities' },
];

function listing(
  concern: Concern,
  text: string,
  at: string,
  { orderId = maya, subject = null }: Partial<Pick<TodayItem, 'orderId' | 'subject'>> = {},
): TodayView['concerns'][number] {
  return { concern, items: [{ text, at, orderId, subject }] };
}

export const today: TodayView = {
  payouts,
  concerns: [
    listing(
      { topic: 'orders_in_review', count: 1, since: 0 },
      'Tomás Herrera: Schema Design, $4,999.00',
      '2026-11-19T11:40:00Z',
    ),
    listing(
      { topic: 'payments_held', count: 1, since: 0 },
      'Ines Okafor: Migration Planning, $5,999.00',
      '2026-11-18T12:40:00Z',
    ),
    listing(
      { topic: 'evidence_due', dueAt: 0 },
      'Wolfeschlegelsteinhausenbergerdorff the Elder: Optimization Consulting, $3,999.00',
      '2026-11-27T23:59:00Z',
    ),
    listing(
      { topic: 'refunds_dead', count: 1, since: 0 },
      'refund-payment #4720: ProviderError: Stripe: charge_disputed',
      '2026-11-18T10:20:00Z',
      { subject: { kind: 'job', id: '4720' } },
    ),
    listing(
      { topic: 'refunds_failed', count: 1, since: 0 },
      'Refund re_3SKqjR2eZvKYlo2C1 of $500.00 at Stripe: failed',
      '2026-11-18T10:02:00Z',
      { subject: { kind: 'transfer', id: '12' } },
    ),
    listing(
      { topic: 'payouts_failed', count: 1, since: 0 },
      'Payout po_1SKqjR2eZvKYlo2C of $8,120.00 at Stripe: The bank account has been closed.',
      '2026-11-18T09:40:00Z',
      { subject: { kind: 'transfer', id: '11' }, orderId: null },
    ),
    listing(
      { topic: 'emails_refused', count: 1, since: 0 },
      'Order confirmation #498: 550 5.1.1 mailbox unavailable',
      '2026-11-18T09:12:00Z',
      { subject: { kind: 'email', id: '498' } },
    ),
    {
      concern: { topic: 'messages_unanswered', count: 2, since: Date.parse('2026-11-19T08:30:00Z') },
      items: [],
    },
  ],
};

export const messages: MessagePage = {
  messages: [
    ['Ines Okafor', 'We plan to move 4 TB from MySQL to PostgreSQL in spring. How early should we begin?'],
    ['Jonas Weber', 'Does the audit cover replicas, and do you need write access?'],
  ].map(([name = '', message = ''], index) => ({
    id: `00000000-0000-4000-8000-00000000001${index}`,
    name,
    message,
    email: `${name.split(' ')[0]?.toLowerCase()}@northfreight.example`,
    createdAt: `2026-11-19T0${8 + index}:30:00Z`,
    answeredAt: null,
  })),
  next: null,
};

export const enrollments: EnrollmentPage = {
  enrollments: [
    {
      id: '00000000-0000-4000-8000-000000000020',
      name: 'Grace Hooper',
      email: 'grace.hooper@example.com',
      companyName: 'Hooper Logistics',
      role: 'Head of Engineering',
      phone: '+1 415 555 0142',
      teamSize: '51-200',
      primaryUseCase: 'Orders and tracking for 40 warehouses on one PostgreSQL primary.',
      complianceNeeds: 'SOC 2',
      completedAt: '2026-11-17T15:20:00Z',
    },
  ],
  next: null,
};

export const newsletter: NewsletterFigures = { confirmed: 1_284, pending: 17, unsubscribed: 96 };

const recorded: [staff: string, text: string, reason: string, orderId: string | null][] = [
  ['olive.park', 'refund of $450.00 #pi_3QWdeskSample', 'Agreed by phone: two of five days', order.id],
  ['marcus.webb', 'export newsletter', 'The autumn issue', null],
  ['marcus.webb', 'decide as paid', 'Settled by bank transfer, reference 8841', order.id],
  ['olive.park', 'erase person', 'Their letter of today', null],
];

export const record: RecordPage = {
  actions: recorded.map(([name, text, reason, orderId], index) => ({
    id: String(40 - index),
    at: `2026-11-19T1${5 - index}:12:00Z`,
    staff: `${name}@querywright.example`,
    ...{ text, reason, orderId },
  })),
  next: null,
};

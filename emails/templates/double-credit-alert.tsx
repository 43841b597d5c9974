import { formatMoney } from '../../core/money.ts';
import { brands } from '../../core/order-texts.ts';
import { Layout } from '../parts/layout.tsx';
import { clientFacts, DashboardButton, OrderLinks, STAFF_REASON } from '../parts/staff.tsx';
import { Facts } from '../parts/tables.tsx';
import { Heading, Paragraph, Steps } from '../parts/text.tsx';
import { moment } from '../parts/words.ts';
import type { DoubleCreditAlertProps } from '../props/staff.ts';
import type { Template } from '../template.ts';

/** To staff: the buyer got a refund, and the same money from the bank. */
export const doubleCreditAlert: Template<DoubleCreditAlertProps> = {
  subject: (p) => `Credited twice? ${tooMuch(p)} too much, ${p.customerName}`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={`Refunds and lost disputes of a payment add up to more than it took.`}
      eyebrow="Credited twice"
      tone="error"
      title="More money went back than was paid"
      reason={STAFF_REASON}
    >
      <Paragraph>
        Refunds and lost disputes of this payment add up to {money(p, p.returnedAmount)}, but it took{' '}
        {money(p, p.takenAmount)}. {p.customerName} may have received {tooMuch(p)} too much.
      </Paragraph>
      <DashboardButton {...p} />
      <Facts
        facts={[
          { label: 'Taken', value: money(p, p.takenAmount) },
          { label: 'Went back', value: money(p, p.returnedAmount) },
          { label: 'Payment', value: p.providerPaymentId, code: true },
          { label: 'Provider', value: brands[p.provider] },
          { label: 'Seen', value: moment(p.occurredAt) },
          ...clientFacts(p),
        ]}
      />
      <Heading>What to do</Heading>
      <Steps
        steps={[
          {
            title: 'Compare it with the provider',
            text: `${brands[p.provider]} shows each refund and dispute, and what it took from our balance.`,
          },
          {
            title: `Write to ${p.customerName}`,
            text: `If both arrived, agree on how ${tooMuch(p)} comes back to us. This does not happen automatically.`,
          },
        ]}
      />
      <OrderLinks {...p} />
    </Layout>
  ),
};

function money({ currency }: DoubleCreditAlertProps, cents: number): string {
  return formatMoney(cents, currency);
}

function tooMuch(p: DoubleCreditAlertProps): string {
  return money(p, p.returnedAmount - p.takenAmount);
}

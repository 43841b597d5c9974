import { brands, codeInWords } from '../../core/order-texts.ts';
import { Layout } from '../parts/layout.tsx';
import { DashboardButton, STAFF_REASON } from '../parts/staff.tsx';
import { Facts } from '../parts/tables.tsx';
import { Paragraph } from '../parts/text.tsx';
import { exactMoney, moment } from '../parts/words.ts';
import type { PayoutFailedAlertProps } from '../props/staff.ts';
import type { Template } from '../template.ts';

export const payoutFailedAlert: Template<PayoutFailedAlertProps> = {
  subject: (p) => `Payout failed: ${exactMoney(p.payoutAmount, p.payoutCurrency)} from ${brands[p.provider]}`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={`The money is still on our ${brands[p.provider]} balance.`}
      eyebrow="Payout failed"
      tone="error"
      title="A payout did not reach our bank account"
      reason={STAFF_REASON}
    >
      <Paragraph>
        The money is still on our {brands[p.provider]} balance, and no order is affected. Check the bank
        details in the dashboard: further payouts may wait until they are corrected. It stays on the list of
        what needs a person until it is dismissed.
      </Paragraph>
      <DashboardButton {...p} />
      <Facts
        facts={[
          { label: 'Amount', value: exactMoney(p.payoutAmount, p.payoutCurrency) },
          { label: 'Reason', value: codeInWords(p.failureReason) },
          { label: 'Payout', value: p.payoutId, code: true },
          { label: 'Provider', value: brands[p.provider] },
          { label: 'Seen', value: moment(p.occurredAt) },
        ]}
      />
    </Layout>
  ),
};

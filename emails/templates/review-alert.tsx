import { Layout } from '../layout.tsx';
import { Button } from '../links.tsx';
import { Command, Note, Paragraph } from '../parts.tsx';
import type { ReviewAlertProps } from '../props.ts';
import { STAFF_REASON, showOrder } from '../staff.ts';
import { Facts } from '../tables.tsx';
import type { Template } from '../template.ts';
import { exactMoney, moment, providerName } from '../words.ts';

const expected = (p: ReviewAlertProps) => exactMoney(p.amount, p.currency);
const received = (p: ReviewAlertProps) => exactMoney(p.receivedAmount, p.receivedCurrency);

/** Staff must look: what the provider says differs from the order (design §4). */
export const reviewAlert: Template<ReviewAlertProps> = {
  subject: (p) => `Order needs review: expected ${expected(p)}, received ${received(p)}`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={`${p.serviceName}, ${p.customerEmail}. The order is held until somebody decides.`}
      eyebrow="Needs review"
      tone="before"
      title="A payment does not match its order"
      reason={STAFF_REASON}
    >
      <Paragraph>
        The payment that came for this order differs from it, so it does not count: the order is not marked as
        paid by it, and the client has no receipt for it. An order in review stays so until an operator
        decides.
      </Paragraph>
      <Facts
        facts={[
          { label: 'Expected', value: expected(p) },
          { label: 'Received', value: received(p) },
          { label: 'Order', value: p.orderId, code: true },
          { label: 'Order in payment', value: p.receivedOrderId ?? 'another, or none', code: true },
          { label: 'Provider', value: providerName(p.paymentMethod) },
          { label: 'Payment', value: p.providerObjectId, code: true },
          { label: 'Service', value: p.serviceName },
          { label: 'Client', value: p.customerName },
          { label: 'E-mail', value: p.customerEmail },
          { label: 'Seen', value: moment(p.occurredAt) },
        ]}
      />
      <Button href={p.orderUrl} label="Open the order page" />
      <Note>Compare it with the provider's dashboard. The order's full time line:</Note>
      <Command line={showOrder(p)} />
    </Layout>
  ),
};

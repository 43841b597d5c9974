import { brands } from '../../core/order-texts.ts';
import { Layout } from '../parts/layout.tsx';
import { Button } from '../parts/links.tsx';
import { OrderLinks, STAFF_REASON } from '../parts/staff.tsx';
import { Facts } from '../parts/tables.tsx';
import { Command, Heading, Note, Paragraph } from '../parts/text.tsx';
import { exactMoney, moment } from '../parts/words.ts';
import type { ReviewAlertProps } from '../props/staff.ts';
import type { Template } from '../template.ts';

const expected = (p: ReviewAlertProps) => exactMoney(p.amount, p.currency);
const received = (p: ReviewAlertProps) => exactMoney(p.receivedAmount, p.receivedCurrency);

export const reviewAlert: Template<ReviewAlertProps> = {
  subject: (p) =>
    p.isExtra
      ? `Extra payment of ${received(p)} for a paid order`
      : `Order needs review: expected ${expected(p)}, received ${received(p)}`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={`${p.serviceName}, ${p.customerEmail}. ${p.isExtra ? 'The client has paid twice.' : 'The order is on hold until you decide.'}`}
      eyebrow="Needs review"
      tone="before"
      title={p.isExtra ? 'A payment is surplus' : 'A payment does not match its order'}
      reason={STAFF_REASON}
    >
      <Paragraph>
        {p.isExtra
          ? 'Another payment pays this order, so all of this one is owed to the client, even if it was accepted before or disputed.'
          : 'The payment for this order differs from it, so it does not count: the order is not marked as paid, and the client has no receipt. Its page says that we write to them within 24 hours. It stays in review until an operator decides.'}
      </Paragraph>
      <Facts
        facts={[
          { label: 'Expected', value: expected(p) },
          { label: 'Received', value: received(p) },
          { label: 'Order', value: p.orderId, code: true },
          { label: 'Order in payment', value: p.receivedOrderId ?? 'another, or none', code: true },
          { label: 'Provider', value: brands[p.provider] },
          { label: 'Payment', value: p.providerObjectId, code: true },
          { label: 'Service', value: p.serviceName },
          { label: 'Client', value: p.customerName },
          { label: 'E-mail', value: p.customerEmail },
          { label: 'Seen', value: moment(p.occurredAt) },
        ]}
      />
      <Heading>What to do</Heading>
      {p.isExtra ? <Refund {...p} /> : <Decide {...p} />}
      <OrderLinks {...p} />
    </Layout>
  ),
};

function Refund({ deskUrl }: ReviewAlertProps) {
  return deskUrl ? (
    <Button href={deskUrl} label="Refund it at the desk" />
  ) : (
    <Note>Refund it in full in the provider's dashboard.</Note>
  );
}

function Decide({ deskUrl, opsCommand, orderId }: ReviewAlertProps) {
  return (
    <>
      <Note>
        Compare it with the provider's dashboard, and refund there what is not ours. Then decide: paid,
        refunded or canceled{deskUrl ? '.' : ' instead of STATUS.'}
      </Note>
      {deskUrl ? (
        <Button href={deskUrl} label="Decide at the desk" />
      ) : (
        <Command line={`${opsCommand} order decide ${orderId} STATUS`} />
      )}
    </>
  );
}

import { formatMoney } from '../../core/money.ts';
import { brands, codeInWords } from '../../core/order-texts.ts';
import { Layout } from '../parts/layout.tsx';
import { clientFacts, DashboardButton, DeskButton, OrderLinks, STAFF_REASON } from '../parts/staff.tsx';
import { Facts } from '../parts/tables.tsx';
import { Command, Heading, Note, Paragraph, type Step, Steps } from '../parts/text.tsx';
import { moment } from '../parts/words.ts';
import type { RefundFailedAlertProps } from '../props/staff.ts';
import type { Template } from '../template.ts';

export const refundFailedAlert: Template<RefundFailedAlertProps> = {
  subject: (p) => `${outcomeOf(p)}: ${formatMoney(p.refundAmount, p.currency)}, ${p.customerName}`,
  Mail: (p) => {
    const { title, preview, happened, steps } = p.refundId ? failed(p) : notMade[p.why](p);
    return (
      <Layout
        siteUrl={p.siteUrl}
        preview={preview}
        eyebrow={outcomeOf(p)}
        tone="error"
        title={title}
        reason={STAFF_REASON}
      >
        <Paragraph>{happened}</Paragraph>
        <DashboardButton {...p} />
        <Facts
          facts={[
            { label: 'Amount', value: formatMoney(p.refundAmount, p.currency) },
            ...(p.why === 'refused' ? [{ label: 'Reason', value: codeInWords(p.failureReason) }] : []),
            { label: 'Payment', value: p.providerPaymentId, code: true },
            { label: 'Refund', value: p.refundId ?? 'none', code: p.refundId !== null },
            { label: 'Provider', value: brands[p.provider] },
            { label: 'Seen', value: moment(p.occurredAt) },
            ...clientFacts(p),
          ]}
        />
        <Heading>What to do</Heading>
        <Steps steps={steps} />
        {p.refundId ? [] : atFailedJob(p)}
        {p.refundId || p.deskUrl || p.why !== 'not_duplicate' ? [] : keep(p)}
        <OrderLinks {...p} />
      </Layout>
    );
  },
};

function outcomeOf({ refundId, why }: RefundFailedAlertProps): string {
  if (refundId) return 'Refund failed';
  return why === 'unknown' ? 'Refund not confirmed' : 'Refund not made';
}

interface Writing {
  title: string;
  preview: string;
  happened: string;
  steps: Step[];
}

type Writer = (p: RefundFailedAlertProps) => Writing;

const unpaid = ({ customerName, refundAmount, currency }: RefundFailedAlertProps) =>
  `${customerName} has not received ${formatMoney(refundAmount, currency)}. What to do now.`;

const failed: Writer = (p) => ({
  title: 'A refund did not reach the buyer',
  preview: unpaid(p),
  happened: `${brands[p.provider]} reports that the refund failed or was canceled. The money is back on our balance. The buyer got an e-mail that we contact them within 24 hours.`,
  steps: [
    {
      title: 'Read the reason',
      text: `${brands[p.provider]} shows it with the payment. Often the buyer's account or card is closed.`,
    },
    {
      title: `Write to ${p.customerName}`,
      text: 'Agree on another way, such as a bank transfer. Ask for bank details by phone rather than by e-mail.',
    },
    { title: 'Dismiss it', text: 'It stays on the list of what needs a person until then.' },
  ],
});

const notMade: Record<RefundFailedAlertProps['why'], Writer> = {
  refused: (p) => ({
    title: 'A refund could not be made',
    preview: unpaid(p),
    happened: `${brands[p.provider]} kept refusing the refund, so we stopped retrying. The money is still with us.`,
    steps: [
      {
        title: 'Check the payment',
        text: `Make sure that ${brands[p.provider]} does not show the refund already.`,
      },
      { title: 'Refund it there', text: 'The order updates automatically, and the buyer gets a notice.' },
      { title: 'Discard the failed job', text: 'If someone runs it again, it could refund a second time.' },
    ],
  }),
  unknown: (p) => ({
    title: 'It is unknown whether a refund was made',
    preview: `${p.customerName} may have received ${formatMoney(p.refundAmount, p.currency)}, or not. Please look.`,
    happened: `${brands[p.provider]} answered our request for this refund with an error, or not at all, and has not listed the refund for a day. It may have been made, or may be made later.`,
    steps: [
      {
        title: `Look in ${brands[p.provider]}’s dashboard`,
        text: `If it shows the refund, the order updates automatically. If in doubt, ask ${brands[p.provider]}’s support.`,
      },
      {
        title: 'Discard the failed job if the refund was made',
        text: 'The buyer gets a notice of the refund.',
      },
      {
        title: 'Run the job again if it was not',
        text: 'It looks once more before it asks for the refund. Do not refund in the dashboard as well.',
      },
    ],
  }),
  not_duplicate: (p) => ({
    title: 'A second payment was not refunded',
    preview: 'It may be the only one that pays for the order. Please decide.',
    happened: `${p.customerName} paid twice, and we refund a second payment automatically. We did not refund this one: no other payment holds money for the order for certain. The first one may have been refunded by hand, for example, or be disputed. So this one may be what pays for the order.`,
    steps: [
      { title: 'Compare both payments', text: 'Their providers show what was refunded or disputed of each.' },
      { title: 'Discard the failed job', text: 'It stays on the list of what needs a person until then.' },
      {
        title: 'Decide',
        text: `If a dispute of the first one is open, wait for its outcome. Keep this one ${p.deskUrl ? 'at the desk' : 'with the command below'} if the first one went back and ${p.customerName} still wants our work: it then pays for the order, and the buyer gets an e-mail. Otherwise refund it ${p.deskUrl ? 'at the desk' : `in ${brands[p.provider]}’s dashboard`}.`,
      },
    ],
  }),
  refunded_elsewhere: (p) => ({
    title: 'A refund by staff was not made',
    preview: 'The payment has another refund, which was not known when this one was requested.',
    happened: `The payment has another refund, which was not known when this one was requested. It may have been made in ${brands[p.provider]}’s dashboard. To return nothing twice, we did not make this refund.`,
    steps: [
      { title: 'Look at the order', text: 'It shows what was refunded.' },
      { title: 'Discard the failed job', text: 'Until then, its amount cannot be refunded again.' },
      {
        title: 'Ask for a new refund if one is still owed',
        text: p.deskUrl
          ? 'The desk shows how much is left.'
          : `${brands[p.provider]} shows how much is left.`,
      },
    ],
  }),
};

function keep({ opsCommand, orderId, providerPaymentId }: RefundFailedAlertProps) {
  return [
    <Note key="keep">To keep the payment, once the job is discarded:</Note>,
    <Command
      key="command"
      line={`${opsCommand} order keep-payment ${orderId} ${providerPaymentId} --reason TEXT`}
    />,
  ];
}

function atFailedJob({ deskUrl, opsCommand, why }: RefundFailedAlertProps) {
  const isUnknown = why === 'unknown';
  const label = isUnknown ? 'Open the failed job at the desk' : 'Discard the job at the desk';
  if (deskUrl) return [<DeskButton key="desk" deskUrl={deskUrl} label={label} />];
  return [
    <Note key="find">Find the job, then discard it{isUnknown ? ' or run it again' : ''}:</Note>,
    <Command key="failed" line={`${opsCommand} jobs failed`} />,
    <Command key="discard" line={`${opsCommand} jobs discard ID --reason TEXT`} />,
    ...(isUnknown ? [<Command key="retry" line={`${opsCommand} jobs retry ID`} />] : []),
  ];
}

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { StatusText } from '../../../core/order-texts.ts';
import type { OrderView } from '../../../core/orders.ts';
import { checkoutFor, paths, paymentFor } from '../../../core/paths.ts';
import { ButtonLink } from '../../components/ui/button.tsx';
import { Steps } from '../../components/ui/steps.tsx';
import { nextSteps, nextStepsOncePaid } from '../../content/next-steps.ts';
import { serviceQuery } from './order-queries.ts';

export function OrderSidebar({ order, next }: { order: OrderView; next: StatusText['next'] }) {
  if (next === 'questions') return <Questions />;
  if (next === 'steps' || next === 'steps-once-paid') return <WhatHappensNext paid={next === 'steps'} />;
  return (
    <>
      {next === 'pay' && <WhatHappensNext paid={false} />}
      <Payment order={order} next={next} />
    </>
  );
}

function WhatHappensNext({ paid }: { paid: boolean }) {
  return (
    <Card title="What Happens Next?">
      <Steps steps={paid ? nextSteps : nextStepsOncePaid} className="mt-5" />
    </Card>
  );
}

const payments = {
  pay: {
    title: 'Not paid yet?',
    text: 'If you left before paying, you can pay now. If you have paid, there is nothing to do: this page is waiting for the confirmation.',
    action: 'Pay now',
  },
  'pay-again': {
    title: 'Pay for this order',
    text: 'This pays for the same order, by card or PayPal. It takes about a minute.',
    action: 'Try again',
  },
  'order-again': {
    title: 'Order again',
    text: 'A new order takes about a minute. In the tab where you began, your details are still filled in.',
    action: 'Order again',
  },
};

function Payment(props: { order: OrderView; next: keyof typeof payments }) {
  const { title, text, action } = payments[props.next];
  const service = useQuery(serviceQuery(props.order.serviceId));
  return (
    <Card title={title} className="no-print">
      <p className="mt-2 text-muted">{text}</p>
      <ButtonLink
        to={props.next === 'order-again' ? checkoutFor(service.data?.slug) : paymentFor(props.order.id)}
        look={props.order.status === 'pending' ? 'secondary' : 'primary'}
        className="mt-5 w-full"
      >
        {action}
      </ButtonLink>
    </Card>
  );
}

function Questions() {
  return (
    <Card title="Any questions?" className="no-print">
      <p className="mt-2 text-muted">
        Write to us with your order ID. A person who can see your order answers within 24 hours.
      </p>
      <ButtonLink to={paths.homeContact} className="mt-5 w-full">
        Contact Us
      </ButtonLink>
    </Card>
  );
}

function Card(props: { title: string; className?: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      className={`card rounded-card border border-line bg-surface p-6 sm:p-8 ${props.className ?? ''}`}
    >
      <h2 id={titleId} className="text-xl">
        {props.title}
      </h2>
      {props.children}
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { OrderView } from '../../../core/orders.ts';
import { checkoutFor, paths } from '../../../core/paths.ts';
import { ButtonLink } from '../../components/ui/button.tsx';
import { Steps } from '../../components/ui/steps.tsx';
import { nextSteps } from '../../content/next-steps.ts';
import { serviceQuery } from './order-queries.ts';
import type { StatusText } from './status-texts.ts';

export function OrderSidebar({ order, next }: { order: OrderView; next: StatusText['next'] }) {
  if (next === 'pay-again') return <PayAgain order={order} />;
  return next === 'steps' ? <WhatHappensNext /> : <Questions />;
}

function WhatHappensNext() {
  return (
    <Card title="What Happens Next?">
      <Steps steps={nextSteps} className="mt-5" />
    </Card>
  );
}

function PayAgain({ order }: { order: OrderView }) {
  const service = useQuery(serviceQuery(order.serviceId));
  return (
    <Card title="Pay for this order" className="no-print">
      <p className="mt-2 text-muted">
        In the tab where you began, your details are still filled in. Paying takes about a minute.
      </p>
      <ButtonLink to={checkoutFor(service.data?.slug)} className="mt-5 w-full">
        Try again
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
  return (
    <section
      aria-labelledby="beside-title"
      className={`card rounded-card border border-line bg-surface p-6 sm:p-8 ${props.className ?? ''}`}
    >
      <h2 id="beside-title" className="text-xl">
        {props.title}
      </h2>
      {props.children}
    </section>
  );
}

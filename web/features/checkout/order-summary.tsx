import { memo } from 'react';
import { type ServiceSlug, serviceBySlug } from '../../../core/catalogue.ts';
import { formatMoney, formatPrice } from '../../../core/money.ts';
import { CheckList } from '../../components/ui/check-list.tsx';
import { Steps } from '../../components/ui/steps.tsx';
import { nextSteps } from '../../content/next-steps.ts';
import { planFeatures } from '../../content/pricing.ts';

interface Props {
  service: ServiceSlug | '';
  price: number | null;
}

/** Memoized: typing does not render it again. */
export const OrderSummary = memo(function OrderSummary({ service, price }: Props) {
  return (
    <div className="grid gap-8">
      {service === '' ? <NothingChosen /> : <Chosen service={service} changedPrice={price} />}
      <div>
        <h3 className="text-lg">What happens next</h3>
        <Steps steps={nextSteps} className="mt-4" />
      </div>
    </div>
  );
});

function NothingChosen() {
  return (
    <div className="rounded-card border border-dashed border-edge p-6">
      <h3 className="text-lg">Your order</h3>
      <p className="mt-2 text-muted">Choose a service to see its price and what it includes.</p>
    </div>
  );
}

function Chosen(props: { service: ServiceSlug; changedPrice: number | null }) {
  const { service } = props;
  const { name, price: listed } = serviceBySlug(service);
  const price = props.changedPrice ?? listed;
  return (
    <div aria-live="polite" className="rounded-card border border-line bg-surface p-6">
      <h3 className="text-lg">Your order</h3>
      <p className="mt-3 flex items-baseline justify-between gap-4 border-b border-line pb-4">
        <span>{name}</span>
        <span className="figure text-xl font-semibold">{formatPrice(price)}</span>
      </p>
      <p className="mt-4 text-sm font-medium">Included</p>
      <CheckList items={planFeatures(service)} className="mt-2 text-sm" />
      <p className="mt-4 flex items-baseline justify-between gap-4 border-t border-line pt-4 text-sm text-muted">
        <span>One-time payment, nothing recurs</span>
        <span className="figure">{formatMoney(price)}</span>
      </p>
    </div>
  );
}

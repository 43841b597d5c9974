import { memo, type ReactNode } from 'react';
import { type CatalogueEntry, type ServiceSlug, services } from '../../../core/catalogue.ts';
import { formatPrice } from '../../../core/money.ts';
import { GetStartedLink } from '../../components/get-started-link.tsx';
import { CheckList } from '../../components/ui/check-list.tsx';
import { highlightedPlan, planBadges, planFeatures } from '../../content/pricing.ts';

interface Props {
  onChoose: (service: ServiceSlug) => void;
}

/** Memoized: typing does not render them again. */
export const PlanCards = memo(function PlanCards({ onChoose }: Props) {
  return (
    <section aria-label="Plans" className="content pb-20 lg:pb-28">
      <ul className="grid grid-cols-1 gap-5 sm:grid-cols-2 xl:grid-cols-4">
        {services.map((service) => (
          <PlanCard key={service.slug} service={service} highlighted={service.slug === highlightedPlan}>
            <GetStartedLink
              service={service.slug}
              look={service.slug === highlightedPlan ? 'primary' : 'secondary'}
              className="mt-7 w-full"
              aria-label={`Get Started with ${service.name}`}
              onChoose={onChoose}
            />
          </PlanCard>
        ))}
      </ul>
    </section>
  );
});

function PlanCard(props: { service: CatalogueEntry; highlighted: boolean; children: ReactNode }) {
  const { service, highlighted } = props;
  return (
    <li
      className={`flex flex-col rounded-card border bg-surface p-6 ${highlighted ? 'border-accent shadow-raised' : 'border-line'}`}
    >
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-lg">{service.name}</h2>
      </div>
      <p
        className={`mt-2 self-start rounded-full px-2.5 text-xs leading-6 ${
          highlighted ? 'bg-accent text-on-accent' : 'bg-sunken text-muted'
        }`}
      >
        {planBadges[service.slug]}
      </p>
      <p className="figure mt-6 text-4xl font-semibold tracking-[-0.03em]">{formatPrice(service.price)}</p>
      <p className="mt-1 text-sm text-muted">One-time payment</p>
      <CheckList items={planFeatures(service.slug)} className="mt-6 flex-1 content-start text-sm" />
      {props.children}
    </li>
  );
}

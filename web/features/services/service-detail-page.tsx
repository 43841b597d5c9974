import type { ReactNode } from 'react';
import { type ServiceSlug, serviceBySlug } from '../../../core/catalogue.ts';
import { formatPrice } from '../../../core/money.ts';
import { paths } from '../../../core/paths.ts';
import { CallToAction } from '../../components/call-to-action.tsx';
import { FeatureGrid } from '../../components/feature-grid.tsx';
import { Figures } from '../../components/figures.tsx';
import { GetStartedLink } from '../../components/get-started-link.tsx';
import { Process } from '../../components/process.tsx';
import { Section } from '../../components/section.tsx';
import { ButtonLink } from '../../components/ui/button.tsx';
import { Unbroken } from '../../components/ui/unbroken.tsx';
import { serviceOverviews } from '../../content/service-overview.ts';
import type { ServiceDetail } from '../../content/types.ts';

interface Props {
  slug: ServiceSlug;
  detail: ServiceDetail;
  artifact?: ReactNode;
}

/** What the four service pages share. */
export function ServiceDetailPage({ slug, detail, artifact }: Props) {
  return (
    <>
      <div className="content grid grid-cols-1 items-center gap-12 pt-14 pb-16 lg:grid-cols-[1fr_1.1fr] lg:gap-16 lg:pt-20 lg:pb-24">
        <div>
          <h1 className="text-4xl lg:text-5xl">{detail.title}</h1>
          <p className="mt-6 max-w-[36em] text-lg text-muted">
            <Unbroken>{detail.lead}</Unbroken>
          </p>
          <PriceLine slug={slug} />
          <ServiceActions slug={slug} className="mt-8" />
        </div>
        {artifact}
      </div>
      {detail.figures && (
        <div className="border-y border-line bg-surface">
          <div className="content py-12 lg:py-16">
            <Figures figures={detail.figures} />
          </div>
        </div>
      )}
      <Section title={detail.featuresTitle} ground={detail.figures ? 'paper' : 'sunken'}>
        <FeatureGrid features={detail.features} />
      </Section>
      <Section title={detail.processTitle} ground={detail.figures ? 'sunken' : 'paper'}>
        <Process steps={detail.process} />
      </Section>
      <div className={detail.figures ? 'pt-20 lg:pt-28' : ''}>
        <CallToAction title={detail.closing.title} text={detail.closing.text}>
          <ServiceActions slug={slug} />
        </CallToAction>
      </div>
    </>
  );
}

function PriceLine({ slug }: { slug: ServiceSlug }) {
  const { price, supportDays } = serviceBySlug(slug);
  const facts = [
    { term: 'Fixed price', fact: formatPrice(price) },
    { term: 'Timeline', fact: serviceOverviews[slug].timeline },
    { term: 'Follow-up support', fact: `${supportDays} days` },
  ];
  return (
    <dl className="mt-8 border-b border-line">
      {facts.map(({ term, fact }) => (
        <div
          key={term}
          className="flex flex-wrap items-baseline justify-between gap-x-6 border-t border-line py-3"
        >
          <dt className="text-muted">{term}</dt>
          <dd className="figure font-semibold">
            <Unbroken>{fact}</Unbroken>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function ServiceActions({ slug, className = '' }: { slug: ServiceSlug; className?: string }) {
  return (
    <div className={`flex flex-wrap gap-3 ${className}`}>
      <GetStartedLink service={slug} />
      <ButtonLink to={paths.contact} look="secondary">
        Contact us
      </ButtonLink>
    </div>
  );
}

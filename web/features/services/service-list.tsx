import { useQuery } from '@tanstack/react-query';
import { formatPrice } from '../../../core/money.ts';
import { paths, servicePaths } from '../../../core/paths.ts';
import { Sketch } from '../../components/artifacts/sketch.tsx';
import { GetStartedLink } from '../../components/get-started-link.tsx';
import { SiteLink } from '../../components/ui/link.tsx';
import { type ListedService, servicesQuery } from './services-query.ts';

/** The list from the server; if it cannot be loaded, links to the prices. */
export function ServiceList() {
  const listed = useQuery(servicesQuery);
  if (listed.isError) return <Unreachable onRetry={() => void listed.refetch()} />;
  if (listed.data?.length === 0) return <NothingListed />;
  return (
    <ul aria-busy={listed.isPlaceholderData} className="border-b border-line">
      {listed.data?.map((service) => (
        <ServiceRow key={service.slug} service={service} />
      ))}
    </ul>
  );
}

function ServiceRow({ service }: { service: ListedService }) {
  return (
    <li className="grid grid-cols-1 items-center gap-x-8 gap-y-4 border-t border-line py-7 sm:grid-cols-[1fr_auto] lg:grid-cols-[auto_1fr_1.5fr_8rem_auto]">
      <Sketch service={service.slug} className="hidden lg:block" />
      <h3 className="text-xl">
        <SiteLink to={servicePaths[service.slug]} className="text-ink no-underline hover:underline">
          {service.name}
        </SiteLink>
      </h3>
      <p className="text-muted sm:col-span-2 lg:col-span-1">{service.description}</p>
      <p>
        <span className="block text-sm text-muted">Starting at</span>
        <span className="figure text-xl font-semibold">{formatPrice(service.price)}</span>
      </p>
      <GetStartedLink
        service={service.slug}
        look="secondary"
        aria-label={`Get Started with ${service.name}`}
      />
    </li>
  );
}

function NothingListed() {
  return (
    <p className="border-y border-line py-10 text-lg text-muted">
      No services are available at the moment.{' '}
      <SiteLink to={paths.contact} className="link">
        Write to us
      </SiteLink>{' '}
      and we will let you know.
    </p>
  );
}

function Unreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <p role="alert" className="border-y border-line py-10 text-lg">
      The list could not be loaded. The services are described below, and their prices are on the{' '}
      <SiteLink to={paths.pricing} className="link">
        pricing page
      </SiteLink>
      .{' '}
      <button type="button" className="link" onClick={onRetry}>
        Try again
      </button>
    </p>
  );
}

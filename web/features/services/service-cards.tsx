import { services } from '../../../core/catalogue.ts';
import { formatPrice } from '../../../core/money.ts';
import { servicePaths } from '../../../core/paths.ts';
import { Sketch } from '../../components/artifacts/sketch.tsx';
import { SiteLink } from '../../components/ui/link.tsx';
import { deliveryNotes } from '../../content/home.ts';

export function ServiceCards() {
  return (
    <ul className="grid grid-cols-1 gap-5 md:grid-cols-2">
      {services.map((service) => (
        <li
          key={service.slug}
          className="flex flex-col rounded-card border border-line bg-surface p-6 transition-colors duration-150 hover:border-edge sm:p-8"
        >
          <div className="flex flex-wrap items-start justify-between gap-4">
            <Sketch service={service.slug} />
            <p className="figure text-muted">{formatPrice(service.price)}</p>
          </div>
          <h3 className="mt-6 text-xl">
            <SiteLink to={servicePaths[service.slug]} className="text-ink no-underline hover:underline">
              {service.name}
            </SiteLink>
          </h3>
          <p className="mt-2 flex-1 text-muted">{service.description}</p>
          <div className="mt-6 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2 border-t border-line pt-4 text-sm">
            <SiteLink to="#approach" className="link" aria-label={`Learn More about ${service.name}`}>
              Learn More
            </SiteLink>
            {deliveryNotes[service.slug] && <p className="text-muted">{deliveryNotes[service.slug]}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}

import { type ServiceSlug, serviceBySlug } from '../../../core/catalogue.ts';
import { servicePaths } from '../../../core/paths.ts';
import { GetStartedLink } from '../../components/get-started-link.tsx';
import { CheckList } from '../../components/ui/check-list.tsx';
import { SiteLink } from '../../components/ui/link.tsx';
import { serviceOverviews } from '../../content/service-overview.ts';

export function ServiceBlock({ slug, mirrored }: { slug: ServiceSlug; mirrored: boolean }) {
  const { name } = serviceBySlug(slug);
  const overview = serviceOverviews[slug];
  return (
    <article className="grid gap-x-16 gap-y-8 py-14 lg:grid-cols-2 lg:py-20">
      <div className={mirrored ? 'lg:order-2' : ''}>
        <h2 className="text-2xl lg:text-3xl">{name}</h2>
        <p className="mt-4 text-muted">{overview.longDescription}</p>
        <p className="mt-4">
          <strong className="font-semibold">Ideal for</strong> {overview.ideal}
        </p>
        <div className="mt-7 flex flex-wrap items-center gap-x-6 gap-y-3">
          <GetStartedLink service={slug} aria-label={`Get Started with ${name}`} />
          <SiteLink to={servicePaths[slug]} className="link">
            More about {name}
          </SiteLink>
        </div>
      </div>
      <div className="rounded-card border border-line bg-surface p-6 sm:p-8">
        <h3 className="text-lg">Deliverables</h3>
        <CheckList items={overview.deliverables} className="mt-4" />
        <p className="mt-6 flex flex-wrap justify-between gap-x-6 border-t border-line pt-4 text-sm">
          <span className="text-muted">Timeline</span>
          <span className="font-medium">{overview.timeline}</span>
        </p>
      </div>
    </article>
  );
}

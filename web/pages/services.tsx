import { services } from '../../core/catalogue.ts';
import { paths } from '../../core/paths.ts';
import { CallToAction } from '../components/call-to-action.tsx';
import { PageIntro } from '../components/page-intro.tsx';
import { Process } from '../components/process.tsx';
import { Section } from '../components/section.tsx';
import { ButtonLink } from '../components/ui/button.tsx';
import { engagementProcess } from '../content/processes.ts';
import { servicesPage } from '../content/services-page.ts';
import { ServiceBlock } from '../features/services/service-block.tsx';
import { ServiceList } from '../features/services/service-list.tsx';
import { withServerState } from '../lib/server-state.tsx';

export const ServicesPage = withServerState(function ServicesPage() {
  return (
    <>
      <PageIntro title={servicesPage.title}>{servicesPage.lead}</PageIntro>
      <section aria-label={servicesPage.listTitle} className="content pb-16 lg:pb-24">
        <h2 className="sr-only">{servicesPage.listTitle}</h2>
        <ServiceList />
      </section>
      <div className="border-y border-line bg-sunken">
        <div className="content divide-y divide-line">
          {services.map((service, index) => (
            <ServiceBlock key={service.slug} slug={service.slug} mirrored={index % 2 === 1} />
          ))}
        </div>
      </div>
      <Section title={servicesPage.processTitle}>
        <Process steps={engagementProcess} />
      </Section>
      <CallToAction title={servicesPage.closing.title} text={servicesPage.closing.text}>
        <ButtonLink to={paths.pricing}>See prices</ButtonLink>
        <ButtonLink to={paths.homeContact} look="secondary">
          Contact us
        </ButtonLink>
      </CallToAction>
    </>
  );
});

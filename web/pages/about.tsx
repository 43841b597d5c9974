import { paths } from '../../core/paths.ts';
import { AuditFinding } from '../components/artifacts/audit-finding.tsx';
import { CallToAction } from '../components/call-to-action.tsx';
import { FeatureGrid } from '../components/feature-grid.tsx';
import { Figures } from '../components/figures.tsx';
import { PageIntro } from '../components/page-intro.tsx';
import { Section } from '../components/section.tsx';
import { ButtonLink } from '../components/ui/button.tsx';
import { about } from '../content/about.ts';

export function AboutPage() {
  return (
    <>
      <PageIntro title={about.title} aside={<AuditFinding />}>
        {about.lead}
      </PageIntro>
      <div className="content grid gap-10 pb-16 md:grid-cols-2 lg:gap-16 lg:pb-24">
        {[about.mission, about.vision].map((part) => (
          <section key={part.title} className="border-t-2 border-ink pt-6">
            <h2 className="text-2xl">{part.title}</h2>
            <p className="mt-3 text-lg text-muted">{part.text}</p>
          </section>
        ))}
      </div>
      <div className="border-y border-line bg-surface">
        <div className="content py-12 lg:py-16">
          <Figures figures={about.figures} />
        </div>
      </div>
      <Section title={about.valuesTitle}>
        <ol className="grid gap-12">
          {about.values.map((value) => (
            <li
              key={value.title}
              className="grid grid-cols-1 gap-x-10 gap-y-2 border-t border-line pt-8 lg:grid-cols-[1fr_2fr]"
            >
              <h3 className="text-2xl">{value.title}</h3>
              <p className="max-w-[35em] text-lg text-muted">{value.text}</p>
            </li>
          ))}
        </ol>
      </Section>
      <Section title={about.reasonsTitle} ground="sunken">
        <FeatureGrid features={about.reasons} />
      </Section>
      <div className="pt-20 lg:pt-28">
        <CallToAction title={about.closing.title} text={about.closing.text}>
          <ButtonLink to={paths.contact}>Contact us</ButtonLink>
          <ButtonLink to={paths.services} look="secondary">
            View Services
          </ButtonLink>
        </CallToAction>
      </div>
    </>
  );
}

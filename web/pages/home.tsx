import { paths } from '../../core/paths.ts';
import { MigrationTimeline } from '../components/artifacts/migration-timeline.tsx';
import { QueryPlan } from '../components/artifacts/query-plan.tsx';
import { Figures } from '../components/figures.tsx';
import { Section } from '../components/section.tsx';
import { ButtonLink } from '../components/ui/button.tsx';
import { home } from '../content/home.ts';
import { ContactCards } from '../features/contact/contact-cards.tsx';
import { ContactForm } from '../features/contact/contact-form.tsx';
import { ServiceCards } from '../features/services/service-cards.tsx';

export function HomePage() {
  return (
    <>
      <Hero />
      <div className="border-y border-line bg-surface">
        <div className="content py-12 lg:py-16">
          <Figures figures={home.figures} />
        </div>
      </div>
      <Section id="services" title={home.services.title} lead={home.services.lead}>
        <ServiceCards />
      </Section>
      <Section id="approach" title={home.approach.title} lead={home.approach.lead} ground="sunken">
        <div className="grid grid-cols-1 items-start gap-12 lg:grid-cols-[1fr_1.1fr] lg:gap-20">
          <ul className="grid gap-9">
            {home.approach.points.map((point) => (
              <li key={point.title}>
                <h3 className="text-xl">{point.title}</h3>
                <p className="mt-2 text-muted">{point.text}</p>
              </li>
            ))}
          </ul>
          <div className="lg:sticky lg:top-28">
            <MigrationTimeline />
          </div>
        </div>
      </Section>
      <Contact />
    </>
  );
}

function Hero() {
  return (
    <div className="content grid grid-cols-1 items-center gap-12 pt-14 pb-16 lg:grid-cols-[1fr_1.05fr] lg:gap-16 lg:pt-16 lg:pb-24">
      <div>
        <h1 className="text-4xl lg:text-5xl">{home.title}</h1>
        <p className="mt-6 max-w-[36em] text-lg text-muted">{home.lead}</p>
        <div className="mt-9 flex flex-wrap gap-3">
          <ButtonLink to={paths.pricing}>Start Your Project</ButtonLink>
          <ButtonLink to={paths.homeServices} look="secondary">
            View Services
          </ButtonLink>
        </div>
        <p className="mt-8 text-sm text-muted">{home.trust}</p>
      </div>
      <QueryPlan />
    </div>
  );
}

function Contact() {
  return (
    <section id="contact" aria-labelledby="contact-title" className="content py-16 lg:py-28">
      <div className="grid grid-cols-1 gap-10 lg:grid-cols-[1fr_1.1fr] lg:gap-20">
        <div>
          <h2 id="contact-title" className="text-3xl lg:text-4xl">
            {home.contact.title}
          </h2>
          <p className="mt-4 max-w-[33em] text-lg text-muted">{home.contact.lead}</p>
          <ContactCards className="mt-8" />
        </div>
        <div className="rounded-card border border-line bg-surface p-5 shadow-raised sm:p-8">
          <ContactForm />
        </div>
      </div>
    </section>
  );
}

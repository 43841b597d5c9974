import { PageIntro } from '../components/page-intro.tsx';
import { Section } from '../components/section.tsx';
import { Faq } from '../components/ui/faq.tsx';
import { Steps } from '../components/ui/steps.tsx';
import { contact } from '../content/contact.ts';
import { ContactCards } from '../features/contact/contact-cards.tsx';
import { ContactForm } from '../features/contact/contact-form.tsx';

export function ContactPage() {
  return (
    <>
      <PageIntro title={contact.title}>{contact.lead}</PageIntro>
      <div className="content grid grid-cols-1 items-start gap-x-16 gap-y-10 pb-16 lg:grid-cols-[1fr_1.4fr] lg:grid-rows-[auto_1fr] lg:pb-28">
        <ContactCards />
        <section
          aria-labelledby="form-title"
          className="lg:col-start-2 lg:row-span-2 lg:row-start-1 rounded-card border border-line bg-surface p-5 shadow-raised sm:p-8"
        >
          <h2 id="form-title" className="mb-6 text-2xl">
            {contact.formTitle}
          </h2>
          <ContactForm />
        </section>
        <div>
          <h2 className="text-xl">{contact.afterwardsTitle}</h2>
          <Steps steps={contact.afterwards} className="mt-5" />
        </div>
      </div>
      <Section title={contact.faqTitle} ground="sunken">
        <Faq entries={contact.faq} />
      </Section>
    </>
  );
}

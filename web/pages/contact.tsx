import { contact } from '../../core/content/contact.ts';
import { PageIntro } from '../components/page-intro.tsx';
import { Section } from '../components/section.tsx';
import { Faq } from '../components/ui/faq.tsx';
import { ContactForm } from '../features/contact/contact-form.tsx';

/** Info cards, the contact form and the questions (spec §2). */
export function ContactPage() {
  return (
    <>
      <PageIntro title={contact.title}>{contact.lead}</PageIntro>
      <div className="content grid items-start gap-10 pb-16 lg:grid-cols-[1fr_1.4fr] lg:gap-16 lg:pb-28">
        <dl className="grid grid-cols-1 border-b border-line sm:grid-cols-2 sm:gap-x-8 lg:grid-cols-1">
          {contact.cards.map((card) => (
            <div key={card.title} className="border-t border-line py-5">
              <dt className="text-sm text-muted">{card.title}</dt>
              <dd className="mt-1 text-lg">
                {'link' in card ? (
                  <a href={card.link} className="link break-all">
                    {card.text}
                  </a>
                ) : (
                  card.text
                )}
              </dd>
            </div>
          ))}
        </dl>
        <section
          aria-labelledby="form-title"
          className="rounded-card border border-line bg-surface p-5 shadow-raised sm:p-8"
        >
          <h2 id="form-title" className="mb-6 text-2xl">
            {contact.formTitle}
          </h2>
          <ContactForm />
        </section>
      </div>
      <Section title={contact.faqTitle} ground="sunken">
        <Faq entries={contact.faq} />
      </Section>
    </>
  );
}

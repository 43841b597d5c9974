import { type ServiceSlug, serviceBySlug } from '../../core/catalogue.ts';
import { formatPrice } from '../../core/money.ts';

const priceOf = (slug: ServiceSlug) => formatPrice(serviceBySlug(slug).price);
const supportAfter = (slug: ServiceSlug) => serviceBySlug(slug).supportDays;

export const contact = {
  title: 'Write to an engineer',
  lead: 'No sales funnel: your message is read by the people who would do the work. You hear from us within 24 hours.',

  afterwardsTitle: 'What happens to your message',
  afterwards: [
    { title: 'An engineer reads it', text: 'The one who knows your kind of system best, not a queue.' },
    {
      title: 'You get an answer within 24 hours',
      text: 'With a first opinion, or with the questions that we need for one.',
    },
    {
      title: 'If it fits, we talk',
      text: 'Thirty minutes, free of charge, and a straight answer on whether you need us.',
    },
  ],

  formTitle: 'Send us a message',

  faqTitle: 'Questions we are asked',
  faq: [
    {
      question: 'How long does a project take?',
      answer:
        'An audit takes 1-2 weeks from the day we get access. Schema design and migration projects take 4-8 weeks, depending on how much data there is and how many systems write to it. You get a date once we have seen the database, and we keep it.',
    },
    {
      question: 'Which database systems do you support?',
      answer:
        'PostgreSQL, MySQL and MongoDB, self-hosted or managed: Amazon RDS and Aurora, Google Cloud SQL, Azure Database, MongoDB Atlas. We also know their relatives, MariaDB, Percona and Timescale, and the tools around them: PgBouncer, ProxySQL, Debezium, Patroni.',
    },
    {
      question: 'How does pricing work?',
      answer: `Each service has one fixed price, paid once: ${priceOf('audit')} for an audit, ${priceOf('optimization')} for optimization, ${priceOf('design')} for schema design and ${priceOf('migration')} for migration planning. If you are not sure that your case fits, write to us before you buy: we will tell you, and make you a written offer.`,
    },
    {
      question: 'Do you offer ongoing support?',
      answer: `Yes. Every project includes follow-up support by the engineer who did it: ${supportAfter('audit')} days after an audit, ${supportAfter('optimization')} after an optimization, ${supportAfter('design')} after a schema design and ${supportAfter('migration')} after a migration. After that, write to the same engineer: a new question is a new project with its own fixed price.`,
    },
  ],
} as const;

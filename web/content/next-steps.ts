import type { Point } from './types.ts';

/** Beside the card form and on the result page. */
export const nextSteps: readonly Point[] = [
  { title: 'Confirmation', text: 'You receive a confirmation e-mail within minutes.' },
  {
    title: 'Consultation',
    text: 'Our team reaches out within 1-2 business days to schedule a consultation.',
  },
  { title: 'Kickoff', text: 'The project starts, with regular updates until the work is done.' },
];

/** While the provider still looks at the payment, which can take days. */
export const nextStepsOncePaid: readonly Point[] = [
  { title: 'Confirmation', text: 'You receive a confirmation e-mail as soon as the payment is confirmed.' },
  ...nextSteps.slice(1),
];

import type { Point } from './types.ts';

/** What happens after a payment: said beside the card form and on the result page. */
export const nextSteps: readonly Point[] = [
  { title: 'Confirmation', text: 'You receive a confirmation e-mail within minutes.' },
  {
    title: 'Consultation',
    text: 'Our team reaches out within 1-2 business days to schedule a consultation.',
  },
  { title: 'Kickoff', text: 'The project starts, with regular updates until the work is done.' },
];

/** Where to reach us. Apart from the contact page's texts, which the home page does without. */
export const contactCards = [
  { title: 'E-mail', text: 'hello@querywright.example', link: 'mailto:hello@querywright.example' },
  { title: 'Phone', text: '+1 (415) 555-0137', link: 'tel:+14155550137' },
  { title: 'Location', text: 'San Francisco' },
  { title: 'Hours', text: 'Mon-Fri 9AM-6PM EST' },
] as const;

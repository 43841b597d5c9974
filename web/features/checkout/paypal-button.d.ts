import type { DetailedHTMLProps, HTMLAttributes } from 'react';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      /** PayPal's own button, defined by its script. */
      'paypal-button': DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> & {
        type?: 'pay' | 'checkout' | 'buynow';
        class?: string;
      };
    }
  }
}

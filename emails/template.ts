import type { ReactElement } from 'react';

/** One kind of e-mail. The root of `Mail` is `Layout`. */
export interface Template<P> {
  subject: (props: P) => string;
  Mail: (props: P) => ReactElement;
}

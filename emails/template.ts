import type { ReactElement } from 'react';

/** One kind of mail: a subject that a person would write, and the mail as a component (its root is `Layout`). */
export interface Template<P> {
  subject: (props: P) => string;
  Mail: (props: P) => ReactElement;
}

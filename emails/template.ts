import type { ReactElement } from 'react';

export interface Template<P> {
  subject: (props: P) => string;
  Mail: (props: P) => ReactElement;
}

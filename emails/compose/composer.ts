import type { EmailKind, emailKinds, ParsedEmailParams } from '../../core/emails.ts';
import type { Database } from '../../db/database.ts';
import type { Email } from '../../db/emails.ts';
import type { OrderDetails } from '../../db/order-details.ts';
import type { Config } from '../../infra/config.ts';
import type { Tokens } from '../../infra/tokens.ts';
import type { EmailProps } from '../props/email-props.ts';
import type { OrderProps, SiteProps } from '../props/order.ts';

export interface EmailParts {
  config: Config;
  db: Database;
  tokens: Tokens;
}

export interface EmailOf<K extends EmailKind> extends Email {
  kind: K;
  params: ParsedEmailParams[K];
}

export interface Draft<K extends EmailKind> {
  props: Omit<EmailProps[K], keyof SiteProps>;
  address?: string;
  replyTo?: string;
  headers?: Record<string, string>;
}

/** Reads the e-mail's contents from the database as it is now. Undefined drops the e-mail: it is no longer needed. */
export type Composer<K extends EmailKind> = (
  parts: EmailParts,
  email: EmailOf<K>,
) => Promise<Draft<K> | undefined>;

export type OrderKind = {
  [K in EmailKind]: EmailProps[K] extends OrderProps ? K : never;
}[EmailKind];

/** What one kind adds to the order. Undefined drops the e-mail. */
export type OrderComposer<K extends OrderKind> = (
  order: OrderDetails,
  email: EmailOf<K>,
  config: Config,
) => Omit<EmailProps[K], keyof OrderProps | keyof SiteProps> | undefined;

export type OrderComposers<To extends 'buyer' | 'staff'> = {
  [K in OrderKind as (typeof emailKinds)[K]['to'] extends To ? K : never]: OrderComposer<K>;
};

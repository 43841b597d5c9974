import type { EmailKind, ParsedEmailParams } from '../core/emails.ts';
import type { Database } from '../db/database.ts';
import type { Email } from '../db/emails.ts';
import type { Config } from '../infra/config.ts';
import type { Tokens } from '../infra/tokens.ts';
import type { EmailProps, SiteProps } from './props.ts';

export interface EmailParts {
  config: Config;
  db: Database;
  tokens: Tokens;
}

/** A claimed e-mail with its params parsed. */
export interface EmailOf<K extends EmailKind> extends Email {
  kind: K;
  params: ParsedEmailParams[K];
}

/** What one kind adds to what every e-mail has. */
export interface Draft<K extends EmailKind> {
  props: Omit<EmailProps[K], keyof SiteProps>;
  /** Address of the buyer or visitor; mails to staff need none. */
  address?: string;
  replyTo?: string;
  headers?: Record<string, string>;
}

/** Reads what the e-mail says from the database as it is now. Undefined if there is nothing left to say. */
export type Composer<K extends EmailKind> = (
  parts: EmailParts,
  email: EmailOf<K>,
) => Promise<Draft<K> | undefined>;

import 'express-session';

declare module 'express-session' {
  interface SessionData {
    userId: string;
    /** When the person signed in, ms since the epoch: the session ends a fixed time later, however busy it is. */
    signedInAt: number;
    /** Browser and system, as core/device-name.ts names them. */
    device: string | null;
    /** Goes back to the identity provider when the person signs out. */
    idToken: string;
    /** Sign-ins under way, by their state: one per tab. */
    logins: Record<string, import('../account/pending-logins.ts').KeptLogin>;
  }
}

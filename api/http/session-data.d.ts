import 'express-session';

declare module 'express-session' {
  interface SessionData {
    userId: string;
    /** When the person signed in, ms since the epoch: the session ends a fixed time later, even if it is in use. */
    signedInAt: number;
    /** Browser and system, as core/device-name.ts names them. */
    device: string | null;
    /** For staff only. Their role is not stored but read from the settings at every call. */
    staff: import('../desk/staff-session.ts').StaffSession;
    /** Sent to the identity provider at sign-out. */
    idToken: string;
  }
}

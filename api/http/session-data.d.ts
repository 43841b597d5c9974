import 'express-session';

declare module 'express-session' {
  interface SessionData {
    userId: string;
    /** When the person signed in, ms since the epoch: the session ends a fixed time later, however busy it is. */
    signedInAt: number;
    /** Browser and system, as core/device-name.ts names them. */
    device: string | null;
    /** Of people whom the settings name as staff. Their role is read from the settings at every call. */
    staff: import('../desk/staff-session.ts').StaffSession;
    /** Goes back to the identity provider when the person signs out. */
    idToken: string;
  }
}

import { z } from 'zod';

/** Part of the address of one session. It is made of the session's own id, which never leaves the server. */
export const sessionPath = z.object({
  sessionId: z.string().regex(/^[\w-]{43}$/, 'Session id is not valid'),
});

/** Where a client is signed in; the session of the call itself comes first, then the one seen last. */
export const sessionList = z.object({
  sessions: z
    .object({
      id: z.string(),
      /** Browser and system, e.g. 'Firefox on Windows'; null if the browser did not say. */
      device: z.string().nullable(),
      signedInAt: z.iso.datetime(),
      lastSeenAt: z.iso.datetime(),
      isCurrent: z.boolean(),
    })
    .array(),
});
export type SessionList = z.infer<typeof sessionList>;
export type SessionView = SessionList['sessions'][number];

/** Answer of POST /api/account/sign-out: how many sessions ended. */
export const signedOutEverywhere = z.object({ sessions: z.int() });

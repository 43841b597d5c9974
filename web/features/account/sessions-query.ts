import { queryOptions } from '@tanstack/react-query';
import { sessionList } from '../../../core/sessions.ts';
import { get, post } from '../../lib/api-client.ts';
import { api, endSessionPath } from '../../lib/api-paths.ts';

export const sessionsQuery = queryOptions({
  queryKey: [api.sessions],
  queryFn: async ({ signal }) => sessionList.parse(await get(api.sessions, signal)),
});

/** Ends one session. Returns those that remain. */
export async function endSession(sessionId: string) {
  return sessionList.parse(await post(endSessionPath(sessionId)));
}

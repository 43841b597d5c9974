import { queryOptions } from '@tanstack/react-query';
import { enrollmentView } from '../../../core/enrollment.ts';
import { get } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';

/** What the visitor has saved before; asked for only when signed in. */
export const enrollmentQuery = queryOptions({
  queryKey: [api.enrollment],
  queryFn: async ({ signal }) => enrollmentView.parse(await get(api.enrollment, signal)),
});

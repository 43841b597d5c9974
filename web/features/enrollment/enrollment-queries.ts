import { queryOptions } from '@tanstack/react-query';
import { enrollmentView } from '../../../core/enrollment.ts';
import { get } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';

export const enrollmentQuery = queryOptions({
  queryKey: [api.enrollment],
  queryFn: async ({ signal }) => enrollmentView.parse(await get(api.enrollment, signal)),
});

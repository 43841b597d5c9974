import { queryOptions } from '@tanstack/react-query';
import { accountView } from '../../../core/account.ts';
import { get } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';

export const accountQuery = queryOptions({
  queryKey: [api.account],
  queryFn: async ({ signal }) => accountView.parse(await get(api.account, signal)),
});

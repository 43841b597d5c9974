import { queryOptions } from '@tanstack/react-query';
import { services } from '../../../core/catalogue.ts';
import { get } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';

export interface ListedService {
  slug: (typeof services)[number]['slug'];
  name: string;
  description: string;
  price: number;
}

/** Shows the catalogue until the server has answered, also in the prerendered page. */
export const servicesQuery = queryOptions({
  queryKey: [api.services],
  queryFn: async ({ signal }): Promise<readonly ListedService[]> => {
    const [{ serviceView }, answer] = await Promise.all([
      import('../../../core/services.ts'),
      get(api.services, signal),
    ]);
    return serviceView.array().parse(answer);
  },
  placeholderData: services,
});

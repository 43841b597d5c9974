import { queryOptions } from '@tanstack/react-query';
import { services } from '../../../core/catalogue.ts';
import { get } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';

/** What the services overview shows of a service. */
export interface ListedService {
  slug: (typeof services)[number]['slug'];
  name: string;
  description: string;
  price: number;
}

/** The services as the server sells them. Until it has answered, and in the prerendered page, as the catalogue has them. */
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

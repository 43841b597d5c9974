import { parameterInvalid, resourceMissing } from './errors.ts';
import { nested, optionalInteger, optionalText, type Params } from './params.ts';

export interface StripeList<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

interface Listed {
  id: string;
  created: number;
}

/** One page of `objects`, newest first, with Stripe's cursor and time filters. */
export function listPage<T extends Listed>(
  url: string,
  objects: Map<string, T>,
  params: Params,
  matches: (item: T) => boolean = () => true,
): StripeList<T> {
  const limit = optionalInteger(params, 'limit') ?? 10;
  if (limit < 1 || limit > 100) {
    throw parameterInvalid('limit', 'Limit must be between 1 and 100.', 'parameter_invalid_integer');
  }
  const inTime = timeFilter(params);
  const found = [...objects.values()].reverse().filter((item) => inTime(item.created) && matches(item));
  const before = optionalText(params, 'ending_before');
  if (before) {
    const end = positionOf(found, before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', data: found.slice(start, end), has_more: start > 0, url };
  }
  const after = optionalText(params, 'starting_after');
  const start = after ? positionOf(found, after, 'starting_after') + 1 : 0;
  const data = found.slice(start, start + limit);
  return { object: 'list', data, has_more: found.length > start + limit, url };
}

function positionOf(items: Listed[], id: string, param: string): number {
  const position = items.findIndex((item) => item.id === id);
  if (position === -1) throw resourceMissing('object', id, param);
  return position;
}

/** `created=…` exactly, or `created[gte]`, `[gt]`, `[lte]`, `[lt]`, in seconds since 1970. */
function timeFilter(params: Params): (created: number) => boolean {
  if (typeof params.created === 'string') {
    const exact = optionalInteger(params, 'created');
    return (created) => created === exact;
  }
  const range = nested(params, 'created');
  if (!range) return () => true;
  const bound = (name: string, otherwise: number) => optionalInteger(range, name) ?? otherwise;
  const [gte, gt] = [bound('gte', 0), bound('gt', -1)];
  const [lte, lt] = [bound('lte', Infinity), bound('lt', Infinity)];
  return (created) => created >= gte && created > gt && created <= lte && created < lt;
}

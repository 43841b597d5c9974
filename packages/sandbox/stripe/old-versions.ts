import type { StripeState } from './state.ts';

/** The version that replaced `charges` of a PaymentIntent by `latest_charge`. */
const WITHOUT_CHARGES = '2022-11-15';

/** An object as an older API version shows it. */
export function renderAs(version: string, object: object, state: StripeState): object {
  if (version >= WITHOUT_CHARGES || Reflect.get(object, 'object') !== 'payment_intent') return object;
  const { latest_charge: _latest, ...rest } = object as { id: string; latest_charge: unknown };
  const data = [...state.charges.values()].filter((charge) => charge.payment_intent === rest.id).reverse();
  const url = `/v1/charges?payment_intent=${rest.id}`;
  return { ...rest, charges: { object: 'list', data, has_more: false, total_count: data.length, url } };
}

import type Stripe from 'stripe';
import { parameterInvalid } from './errors.ts';
import { optionalInteger, type Params, requiredText } from './params.ts';
import type { StripeState } from './state.ts';

const TERM =
  /^(?:metadata\['([^']+)'\]|metadata\["([^"]+)"\]|(status|currency|amount)):\s*['"]?([^'"]*)['"]?$/;

/** `GET /v1/payment_intents/search`: terms on metadata, status, currency and amount, joined by AND. */
export function searchIntents(state: StripeState, params: Params): object {
  const query = requiredText(params, 'query');
  const terms = query.split(/\s+AND\s+/i).map((term) => parseTerm(term.trim(), query));
  const limit = optionalInteger(params, 'limit') ?? 10;
  const data = [...state.paymentIntents.values()]
    .reverse()
    .filter((intent) => terms.every((matches) => matches(intent)))
    .slice(0, limit);
  return {
    object: 'search_result',
    data,
    has_more: false,
    next_page: null,
    url: '/v1/payment_intents/search',
  };
}

function parseTerm(term: string, query: string): (intent: Stripe.PaymentIntent) => boolean {
  const [, single, double, field, value = ''] = TERM.exec(term) ?? [];
  const key = single ?? double;
  if (key) return (intent) => intent.metadata[key] === value;
  if (field === 'status') return (intent) => intent.status === value;
  if (field === 'currency') return (intent) => intent.currency === value;
  if (field === 'amount') return (intent) => String(intent.amount) === value;
  throw parameterInvalid('query', `We were unable to parse your search query: ${query}`);
}

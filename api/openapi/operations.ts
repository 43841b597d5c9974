import { accountOperations } from './account-operations.ts';
import { contactOperations } from './contact-operations.ts';
import { anyCall, anyGet, anyJsonCall, type Operation } from './operation.ts';
import { orderOperations } from './order-operations.ts';
import { paymentOperations } from './payment-operations.ts';
import { siteOperations } from './site-operations.ts';

export const operations: readonly Operation[] = [
  ...siteOperations,
  ...orderOperations,
  ...paymentOperations,
  ...contactOperations,
  ...accountOperations,
].map(withCommonAnswers);

/** Adds the answers that any call may give. */
export function withCommonAnswers<O extends Operation>(operation: O): O {
  return { ...operation, answers: { ...commonAnswers(operation), ...operation.answers } };
}

function commonAnswers({ method, path }: Operation) {
  const isGuardedCall = method === 'post' && path.startsWith('/api/') && !path.startsWith('/api/webhooks/');
  if (method === 'get') return { ...anyGet, ...anyCall };
  return isGuardedCall ? { ...anyCall, ...anyJsonCall } : anyCall;
}

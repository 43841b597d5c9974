import { useEffect, useEffectEvent } from 'react';
import { get } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';
import { useSession } from '../../lib/session.ts';

type Known = { customerName: string; customerEmail: string };

/** Offers the signed-in client's name and address, once. Without an answer the fields stay as they are. */
export function useSignedInDetails(fill: (known: Known) => void): void {
  const isSignedIn = useSession().state === 'signed-in';
  const offer = useEffectEvent(fill);
  useEffect(() => {
    if (!isSignedIn) return;
    known().then(offer, () => undefined);
  }, [isSignedIn]);
}

async function known(): Promise<Known> {
  const [{ accountView }, answer] = await Promise.all([import('../../../core/account.ts'), get(api.account)]);
  const { name, email } = accountView.parse(answer);
  return { customerName: name ?? '', customerEmail: email ?? '' };
}

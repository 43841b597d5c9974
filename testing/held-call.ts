import type { Shop } from './shop.ts';
import { waitFor } from './wait-for.ts';

export interface HeldCall {
  /** Waits until the sandbox has received it. */
  received(): Promise<void>;
  /** Has the sandbox answer it. */
  release(): void;
}

interface CallToHold {
  /** Part of the method and path. */
  match?: string;
  /** Hold it before (default) or after the work was done. */
  when?: 'before' | 'after';
  count?: number;
}

/** Makes the sandbox hold the next call that matches, or the next few, until released. */
export function holdCall(
  { sandbox }: Shop,
  target: 'stripe' | 'paypal' | 'smtp',
  call: CallToHold = {},
): HeldCall {
  const { faults } = sandbox;
  const { id } = faults.add({ target, mode: 'slow', ms: 3_600_000, count: 1, ...call });
  const isUsedUp = () => faults.list().every((fault) => fault.id !== id);
  return {
    received: async () => void (await waitFor(`a call to ${target} is held`, isUsedUp)),
    release: () => faults.remove(id),
  };
}

import { isOutage } from '../infra/outage.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { CommandError } from './terminal.ts';

/** What to print of a failure that is no bug: a refusal, or a server or provider that does not do what it is asked. */
export function describeFailure(error: unknown): string | undefined {
  const isExpected = error instanceof CommandError || error instanceof ProviderError || isOutage(error);
  if (!isExpected) return undefined;
  return error instanceof Error && error.message ? error.message : String(error);
}

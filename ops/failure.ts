import { isOutage } from '../infra/outage.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { CommandError } from './terminal.ts';

/** The message of a failure that is not a bug: a refusal, or a server or provider that does not answer as it should. */
export function describeFailure(error: unknown): string | undefined {
  const isExpected = error instanceof CommandError || error instanceof ProviderError || isOutage(error);
  if (!isExpected) return undefined;
  return error instanceof Error && error.message ? error.message : String(error);
}

import type { Config } from '../../infra/config.ts';
import { ok, type Verdict, warning } from './check.ts';

/** Production has refused unusable settings before any command runs; what is left is advice. */
export function judgeSettings(config: Config): Verdict[] {
  if (config.production) return atLeastOne(advice(config), `production, deployment ${config.deployment}`);
  const isLocal = config.stripe.api !== undefined && config.paypal.local && config.oidc.local;
  if (isLocal) return [ok('development: the sandbox replaces what is unset')];
  return config.refusedInProduction.map((refused) =>
    warning(refused, 'correct it, then set NODE_ENV=production'),
  );
}

function advice(config: Config): Verdict[] {
  const found: Verdict[] = [];
  if (config.metrics.webPort === undefined)
    found.push(
      warning('METRICS_PORT is not set: no metrics, no alerts', 'set METRICS_PORT and METRICS_TOKEN'),
    );
  if (config.logLevel === 'silent' || config.logLevel === 'fatal')
    found.push(warning(`LOG_LEVEL is ${config.logLevel}: failures are not logged`, 'set LOG_LEVEL=info'));
  return found;
}

function atLeastOne(found: Verdict[], healthy: string): Verdict[] {
  return found.length > 0 ? found : [ok(healthy)];
}

import type { Response } from 'express';
import type { Config } from '../../infra/config.ts';
import { marketingPolicy } from './content-security-policy.ts';

export function setPageHeaders(res: Response, { publicUrl }: Config, { isPrivate = false } = {}): void {
  res.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': isPrivate ? 'no-store' : 'no-cache',
    'Reporting-Endpoints': `csp="${publicUrl}/csp-report"`,
  });
}

/** Security policies of every page except the checkout. */
export function setPagePolicies(res: Response, config: Config): void {
  res.set({
    'Content-Security-Policy': marketingPolicy(config),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'credentialless',
  });
}

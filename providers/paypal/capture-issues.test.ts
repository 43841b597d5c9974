import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { captureOutcome, consideredOutcome } from './capture-issues.ts';

const issues = z.looseObject({
  properties: z.object({
    details: z.object({
      items: z.object({
        anyOf: z.array(
          z.object({ properties: z.object({ issue: z.object({ enum: z.array(z.string()) }) }) }),
        ),
      }),
    }),
  }),
});

test.each(['orders.capture-403', 'orders.capture-422'])(
  'every issue of PayPal’s document has a considered outcome: %s',
  (schema) => {
    const documented = documentedIssues(schema);
    expect(documented.length).toBeGreaterThan(3);
    expect(documented.filter((issue) => consideredOutcome(issue) === undefined)).toEqual([]);
  },
);

test('an undocumented issue is reported to staff', () => {
  expect(consideredOutcome('INVENTED_YESTERDAY')).toBeUndefined();
  expect(captureOutcome('INVENTED_YESTERDAY')).toBe('ours');
  expect(captureOutcome(undefined)).toBe('ours');
});

test('a declined instrument can be replaced in PayPal’s window, a refused payer cannot', () => {
  expect(captureOutcome('INSTRUMENT_DECLINED')).toBe('retry');
  expect(captureOutcome('PAYER_CANNOT_PAY')).toBe('other method');
});

function documentedIssues(schema: string): string[] {
  const file = new URL('../../packages/sandbox/specs/paypal-checkout-orders-v2.json', import.meta.url);
  const document = JSON.parse(readFileSync(file, 'utf8'));
  const { details } = issues.parse(document.components.schemas[schema]).properties;
  return details.items.anyOf.flatMap(({ properties }) => properties.issue.enum);
}

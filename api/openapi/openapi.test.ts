import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from './document.ts';
import { operations } from './operations.ts';

const document = openApiDocument('https://querywright.test');

describe('the OpenAPI document', () => {
  test('passes the OpenAPI linter', async () => {
    const problems = await lintFromString({
      source: JSON.stringify(document),
      // Sign-in answers with redirects only.
      config: await createConfig({ extends: ['recommended'], rules: { 'operation-2xx-response': 'off' } }),
    });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  test('describes every operation once', () => {
    const ids = operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const described = Object.values(document.paths as object).flatMap((path) =>
      Object.values(path as object),
    );
    expect(described.map(({ operationId }) => operationId).sort()).toEqual(ids.sort());
  });
});

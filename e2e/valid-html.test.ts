/** @module-tag core */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';

const pages = path.resolve(import.meta.dirname, '../dist/web/pages');
const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // How React serializes: lower-case doctype, closed void elements, camel-cased attributes, ids from useId.
    'attr-case': ['error', { style: ['lowercase', 'camelcase'] }],
    'attribute-boolean-style': 'off',
    'doctype-style': 'off',
    'void-style': 'off',
    'valid-id': ['error', { relaxed: true }],
    // The phone number is written as people copy it.
    'tel-non-breaking': 'off',
  },
});

test.each(readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html')))(
  '%s is valid HTML',
  async (file) => {
    const { results } = await validator.validateString(readFileSync(path.join(pages, file), 'utf8'));
    const problems = results.flatMap(({ messages }) => messages);
    expect(problems.map(({ ruleId, message, line, column }) => [ruleId, message, line, column])).toEqual([]);
  },
);

import { expect, test } from 'vitest';
import { escapeHtml } from './html.ts';

test('text cannot break out of its tag or attribute', () => {
  expect(escapeHtml('"><script>&')).toBe('&quot;&gt;&lt;script&gt;&amp;');
  expect(escapeHtml('<a b="c">&')).toBe('&lt;a b=&quot;c&quot;&gt;&amp;');
});

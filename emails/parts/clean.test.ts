import { describe, expect, it } from 'vitest';
import { absoluteUrl, cleanText, subjectLine } from './clean.ts';

describe('cleaning', () => {
  it('leaves no control character, broken surrogate or foreign line break in a text', () => {
    expect(cleanText('a\r\nb\rc\u2028d\u0000e\u001b[0m\tf\ud800')).toBe('a\nb\nc\nde[0m\tf\ufffd');
  });

  it('shortens a subject to one line of at most 160 characters', () => {
    expect(subjectLine('Hi\r\nBcc: x\u202e\t y')).toBe('Hi Bcc: x y');
    const long = subjectLine('é😀'.repeat(200));
    expect(Array.from(long)).toHaveLength(160);
    expect(long.isWellFormed()).toBe(true);
  });

  it('accepts absolute http(s) addresses only', () => {
    expect(absoluteUrl('http://localhost:3000/a?b=c')).toBe('http://localhost:3000/a?b=c');
    for (const bad of ['javascript:alert(1)', '/a', 'mailto:a@b.example', 'data:text/html,x', '']) {
      expect(() => absoluteUrl(bad)).toThrow(TypeError);
    }
  });
});

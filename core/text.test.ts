import { describe, expect, test } from 'vitest';
import { emailAddress, line, lines } from './text.ts';

describe('e-mail addresses', () => {
  test.each(['ada@example.com', "o'hara+tag@mail.example.co.uk", 'a@b-c.example'])(
    '%s is valid',
    (address) => {
      expect(emailAddress.parse(address)).toBe(address);
    },
  );

  test('the domain is lower-cased, the local part is not', () => {
    expect(emailAddress.parse(' Ada.L@EXAMPLE.Com ')).toBe('Ada.L@example.com');
    expect(emailAddress.parse('ada@example.com.')).toBe('ada@example.com');
  });

  test.each([
    '',
    'ada',
    'ada@localhost',
    'ada@example.com\r\nBcc: all@example.com',
    'ada@example.com,eve@example.com',
    '"ada@x b"@example.com',
    'ada@example..com',
    'ada..b@example.com',
    '.ada@example.com',
    'ada@-example.com',
    'ada@exam\u0000ple.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(250)}.com`,
    'ada@ex\u200bample.com',
  ])('%j is invalid', (address) => {
    expect(emailAddress.safeParse(address).success).toBe(false);
  });
});

describe('text', () => {
  test.each(['a\nb', 'a\rb', 'a\u0000b', 'a\u2028b', 'a\ud800b', '   ', 'x'.repeat(21)])(
    'one line refuses %j',
    (value) => {
      expect(line('Name', 20).safeParse(value).success).toBe(false);
    },
  );

  test('several lines keep their breaks and tabs, and refuse other control characters', () => {
    expect(lines('Message', 50).parse('one\n\ttwo')).toBe('one\n\ttwo');
    expect(lines('Message', 50).safeParse('one\u0007').success).toBe(false);
  });

  test('other scripts and emoji are text', () => {
    expect(line('Name', 50).parse('Ὑπατία 🦉 علي')).toBe('Ὑπατία 🦉 علي');
  });
});

import { afterAll, describe, expect, test } from 'vitest';
import { type EmailKind, emailKinds } from '../core/emails.ts';
import { type EmailProps, renderEmail } from '../emails/index.ts';
import { sampleProps } from '../emails/samples/sample-props.ts';
import { runAxe } from '../testing/axe.ts';
import { overflow } from '../testing/browser.ts';
import { sharedBrowser } from '../testing/site.ts';

const WIDTHS = [320, 360, 600];
const themes = ['light', 'dark'] as const;

const context = await (await sharedBrowser()).newContext();
const page = await context.newPage();
afterAll(() => context.close());

describe.each(Object.keys(emailKinds) as EmailKind[])('the %s mail', (kind) => {
  test('does not overflow its window, with the longest allowed values', async () => {
    await show(kind, withLongValues(kind));
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect(await overflow(page), `at ${width} px`).toBe(0);
      expect(await widest(), `the widest text at ${width} px`).toBeLessThanOrEqual(width);
    }
  });

  test.each(themes)('is readable in the %s theme', async (colorScheme) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.emulateMedia({ colorScheme });
    await show(kind, sampleProps[kind]);
    const rules = ['color-contrast', 'link-in-text-block', 'link-name', 'list', 'document-title'];
    expect(await runAxe(page, { include: ['html'] }, { runOnly: { type: 'rule', values: rules } })).toEqual(
      [],
    );
  });
});

test('shows the site’s logo', async () => {
  await show('newsletter_welcome', sampleProps.newsletter_welcome);
  const centers = (selector: string) =>
    page.locator(selector).evaluateAll((cells) =>
      cells.map((cell) => {
        const { left, top, width, height } = cell.getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2 };
      }),
    );
  const [top] = await centers('.node');
  const [stem, left, right] = await centers('.leaf');
  expect(top?.x).toBe(stem?.x);
  expect(top?.y).toBeLessThan(left?.y ?? 0);
  expect(left?.y).toBe(right?.y);
  expect((left?.x ?? 0) + (right?.x ?? 0)).toBe(2 * (top?.x ?? 0));
});

async function show<K extends EmailKind>(kind: K, props: EmailProps[K]): Promise<void> {
  await page.setContent(renderEmail(kind, props).html);
}

/** Where the right edge of the rightmost text is. */
function widest(): Promise<number> {
  return page.evaluate(() => {
    const range = document.createRange();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const edges = [0];
    while (walker.nextNode()) {
      range.selectNodeContents(walker.currentNode);
      for (const line of range.getClientRects()) edges.push(Math.floor(line.right));
    }
    return Math.max(...edges);
  });
}

// What the contracts allow: names of 200 characters, addresses of 254, messages of 5,000; none needs a space.
const longEmail = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`;
const longUrl = `https://querywright.example/${'p'.repeat(400)}`;

/** The sample's props with every free text as long as it may be; dates, codes and closed lists stay valid. */
function withLongValues<K extends EmailKind>(kind: K): EmailProps[K] {
  const entries = Object.entries(sampleProps[kind]).map(([name, value]) => [name, longest(name, value)]);
  return Object.fromEntries(entries);
}

function longest(name: string, value: unknown): unknown {
  if (/amount|refunded/i.test(name) && typeof value === 'number') return 99_999_999;
  if (typeof value !== 'string' || /At$|Method$|urrency$|^state$|^provider$|^warning$|^siteUrl$/.test(name))
    return value;
  if (/Url$/.test(name)) return longUrl;
  if (/email/i.test(name)) return longEmail;
  return 'W'.repeat(/^(message|primaryUseCase|complianceNeeds|lastError)$/.test(name) ? 5_000 : 200);
}

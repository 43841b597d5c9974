import { describe, expect, it } from 'vitest';
import { emailKinds } from '../core/emails.ts';
import { renderPreviewPage } from './preview.ts';

describe('the preview page', () => {
  it('shows every mail in two widths with its text part, and runs no script', () => {
    const kinds = Object.keys(emailKinds);
    const page = renderPreviewPage();
    expect(page.match(/<iframe /g)).toHaveLength(2 * kinds.length);
    expect(page.match(/<summary>Text part/g)).toHaveLength(kinds.length);
    expect(page).not.toContain('<script');
  });
});

import { type EmailKind, emailKinds, emailName } from '../core/emails.ts';
import { escapeHtml } from '../core/html.ts';
import { type EmailContent, renderEmail } from './index.ts';
import { dark, light, mono, sans } from './parts/tokens.ts';
import { sampleProps } from './samples/sample-props.ts';

interface Preview extends EmailContent {
  kind: EmailKind;
}

export function renderPreviews(): Preview[] {
  return (Object.keys(emailKinds) as EmailKind[]).map(renderPreview);
}

/** One self-contained HTML page with every e-mail: subject, wide and narrow view, text part. */
export function renderPreviewPage(): string {
  const previews = renderPreviews();
  const index = previews.map(({ kind }) => `<li><a href="#${kind}">${emailName(kind)}</a></li>`).join('');
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>E-mails of Querywright</title><style>${PAGE_STYLES}</style></head><body>`,
    `<header><h1>E-mails of Querywright</h1><p>All ${previews.length} of them, with sample data. `,
    'Light or dark follows your system.</p></header>',
    `<nav aria-label="E-mails"><ul>${index}</ul></nav><main>`,
    ...previews.map(section),
    '</main></body></html>',
  ].join('');
}

function renderPreview<K extends EmailKind>(kind: K): Preview {
  return { kind, ...renderEmail(kind, sampleProps[kind]) };
}

function section({ kind, subject, html, text }: Preview): string {
  const name = emailName(kind);
  return [
    `<section id="${kind}" aria-labelledby="${kind}-name"><h2 id="${kind}-name">${name}</h2>`,
    `<p><span>Subject</span> ${escapeHtml(subject)}</p><div class="views">`,
    frame(`${name}, 640 px wide`, html, 640),
    frame(`${name}, 360 px wide`, html, 360),
    `</div><details><summary>Text part</summary><pre>${escapeHtml(text)}</pre></details></section>`,
  ].join('');
}

// The sandbox attribute opens links in a new tab and disables scripts.
function frame(title: string, html: string, width: number): string {
  return (
    `<iframe title="${title}" width="${width}" height="820" loading="lazy" ` +
    `sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(openLinksOutside(html))}"></iframe>`
  );
}

function openLinksOutside(html: string): string {
  return html.replace('<head>', '<head><base target="_blank">');
}

const PAGE_STYLES = `
:root{color-scheme:light dark;--ground:${light.ground};--ink:${light.ink};--muted:${light.muted};--line:${light.line};--accent:${light.accent}}
@media (prefers-color-scheme:dark){:root{--ground:${dark.ground};--ink:${dark.ink};--muted:${dark.muted};--line:${dark.line};--accent:${dark.accent}}}
body{margin:0 auto;max-width:1160px;padding:48px 24px 96px;background:var(--ground);color:var(--ink);font:17px/1.5 ${sans}}
h1{font-size:32px;letter-spacing:-.015em;margin:0}h2{font-size:22px;margin:0 0 4px}p{margin:4px 0 16px}p span{color:var(--muted)}
a{color:var(--accent)}nav ul{display:flex;flex-wrap:wrap;gap:4px 20px;padding:0;margin:24px 0 0;list-style:none}
section{border-top:1px solid var(--line);margin-top:56px;padding-top:32px}
.views{display:flex;flex-wrap:wrap;gap:24px}iframe{max-width:100%;border:1px solid var(--line);border-radius:10px;background:var(--ground)}
details{margin-top:16px}summary{cursor:pointer}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:14px/1.6 ${mono};border:1px solid var(--line);border-radius:10px;padding:16px}
`;

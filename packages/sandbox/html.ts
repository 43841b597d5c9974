export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A whole page in the sandbox's plain look. `body` is HTML. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/sandbox.css"></head>
<body><main>${body}</main></body></html>`;
}

export const sandboxCss = `
:root { color-scheme: light dark; --line: #8884; --accent: #2b4fd8; --muted: #667; }
@media (prefers-color-scheme: dark) { :root { --accent: #8ea6ff; --muted: #9aa; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
a { color: var(--accent); } code, pre { font: 0.875rem/1.5 ui-monospace, monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: 8px; padding: 1rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: 0.4rem 0.8rem 0.4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 600; } .muted { color: var(--muted); }
iframe { width: 100%; height: 44rem; border: 1px solid var(--line); border-radius: 8px; background: #fff; }
button { font: inherit; padding: 0.6rem 1.2rem; border: 1px solid var(--accent); border-radius: 8px; background: var(--accent); color: Canvas; cursor: pointer; }
button.quiet { background: none; color: var(--accent); }
.card { max-width: 30rem; margin: 0 auto; border: 1px solid var(--line); border-radius: 12px; padding: 1.5rem; }
.row { display: flex; gap: 0.75rem; flex-wrap: wrap; }
`;

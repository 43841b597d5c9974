import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { renderToStaticMarkup } from 'react-dom/server';

// The site's colors (web/styles/tokens.css), inline: the page does not depend on the site's files.
const style = `
  :root { color-scheme: light dark; --paper: #fbfaf7; --surface: #fff; --ink: #10172a; --muted: #55607a;
    --line: #e4e1d8; --edge: #8b8f9c; --accent: #2b4fd8; --on-accent: #fff;
    font: 1.0625rem/1.65 "Geist Variable", system-ui, sans-serif }
  @media (prefers-color-scheme: dark) { :root { --paper: #0c1220; --surface: #131b2e; --ink: #f6f4ee;
    --muted: #a7b0c4; --line: #26304a; --edge: #6b7690; --accent: #9db0ff; --on-accent: #0c1220 } }
  body { margin: 0; background: var(--paper); color: var(--ink) }
  header { border-bottom: 1px solid var(--line) }
  header a, main { display: block; box-sizing: border-box; max-width: 36rem; margin: 0 auto }
  header a { display: flex; align-items: center; gap: .65rem; padding: 1.15rem 1.25rem; color: inherit; text-decoration: none;
    font-size: 1.25rem; font-weight: 600; letter-spacing: -.03em }
  svg { width: 1.75rem; height: 1.75rem }
  .root { fill: var(--accent) }
  main { padding: clamp(3.5rem, 14vh, 8rem) 1.25rem }
  h1 { margin: 0; font-size: clamp(1.7rem, 5vw, 2.125rem); line-height: 1.2; letter-spacing: -.03em; text-wrap: balance }
  p { margin: 1rem 0 2rem; color: var(--muted); text-wrap: pretty }
  nav { display: flex; flex-wrap: wrap; gap: .75rem }
  nav a { padding: .7rem 1.25rem; border: 1px solid var(--edge); border-radius: 8px; background: var(--surface);
    color: inherit; font-weight: 500; text-decoration: none }
  nav a:first-child { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
  a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`;
const styleHash = createHash('sha256').update(style).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; report-uri /csp-report`;

interface PlainPage {
  title: string;
  text: string;
  links: [href: string, label: string][];
}

/** Renders a page for people who reach the API directly. */
export function sendPlainPage(res: Response, status: number, page: PlainPage): void {
  res.status(status).type('html').set({
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'credentialless',
    'Cache-Control': 'no-store',
  });
  res.send(`<!doctype html>${renderToStaticMarkup(<Page {...page} />)}`);
}

function Page({ title, text, links }: PlainPage) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <title>{`${title} | Querywright`}</title>
        <link rel="icon" href="/favicon.svg" />
        <style>{style}</style>
      </head>
      <body>
        <header>
          <a href="/">
            <Mark />
            Querywright
          </a>
        </header>
        <main>
          <h1>{title}</h1>
          <p>{text}</p>
          <nav aria-label="Next steps">
            {links.map(([href, label]) => (
              <a key={href} href={href}>
                {label}
              </a>
            ))}
          </nav>
        </main>
      </body>
    </html>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path d="M16 12v4M8 20v-4h16v4" stroke="currentColor" strokeWidth="2.5" strokeLinejoin="round" />
      <rect className="root" x="11" y="2" width="10" height="10" rx="2" />
      <rect x="3" y="20" width="10" height="10" rx="2" fill="currentColor" />
      <rect x="19" y="20" width="10" height="10" rx="2" fill="currentColor" />
    </svg>
  );
}

import http from 'node:http';
import { type Browser, chromium } from 'playwright-core';
import { listen } from '../listen.ts';
import { chromiumPath } from './chromium.ts';

/** A real browser, without the package's own arguments: they disable the web security that is tested here. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox', '--disable-gpu'] });
}

export interface TestShop {
  url: string;
  close(): Promise<void>;
}

/** A shop's page on its own origin, under a Content Security Policy like the product's. */
export async function startShop(sandboxUrl: string, page: string, script: string): Promise<TestShop> {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${sandboxUrl}`,
    `frame-src ${sandboxUrl}`,
    `connect-src ${sandboxUrl}`,
    "style-src 'self'",
    'img-src data:',
  ];
  const server = http.createServer((req, res) => {
    res.setHeader('Content-Security-Policy', policy.join('; '));
    res.setHeader('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
    const isScript = req.url === '/shop.js';
    res.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    if (isScript) res.end(script);
    else if (req.url?.startsWith('/success')) res.end(`${icon}<h1>Back</h1>`);
    else res.end(`<!doctype html>${icon}${page}<pre id="outcome"></pre><script src="/shop.js"></script>`);
  });
  const port = await listen(server);
  return {
    url: `http://localhost:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const icon = '<link rel="icon" href="data:,">';

import { Router } from 'express';
import { escapeHtml, htmlPage } from '../html.ts';
import type { Inbox, InboxMessage } from './inbox.ts';

export function inboxRoutes(inbox: Inbox): Router {
  const router = Router();
  router.get('/messages', async (req, res) => {
    const to = typeof req.query.to === 'string' ? req.query.to : undefined;
    res.json(await inbox.list(to, Number(req.query.limit) || undefined));
  });
  router.delete('/messages', (_req, res) => {
    inbox.clear();
    res.status(204).end();
  });
  router.get('/', async (req, res) => {
    const to = typeof req.query.to === 'string' && req.query.to ? req.query.to : undefined;
    res.send(listPage(await inbox.list(to, 200), inbox.size));
  });
  router.get('/:id', async (req, res) => {
    const message = await inbox.find(req.params.id);
    if (!message) return void res.status(404).send(htmlPage('Not found', '<h1>No such mail</h1>'));
    res.send(messagePage(message));
  });
  router.get('/:id/html', async (req, res) => {
    const message = await inbox.find(req.params.id);
    res.set(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    );
    res.send(message?.html ?? '');
  });
  return router;
}

function listPage(messages: InboxMessage[], total: number): string {
  const rows = messages.map(
    (
      m,
    ) => `<tr><td class="muted">${escapeHtml(m.receivedAt.slice(11, 19))}</td><td>${escapeHtml(m.to.join(', '))}</td>
      <td><a href="/inbox/${m.id}">${escapeHtml(m.subject || '(no subject)')}</a></td></tr>`,
  );
  const table = `<table><thead><tr><th>Time (UTC)</th><th>To</th><th>Subject</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  return htmlPage(
    'Inbox',
    `<p><a href="/">Sandbox</a></p><h1>Inbox</h1><p class="muted">${total} mails, newest first. <a href="/inbox/messages">As JSON</a></p>
    ${messages.length > 0 ? table : '<p>Nothing has been sent yet.</p>'}`,
  );
}

function messagePage(message: InboxMessage): string {
  const headers = Object.entries(message.headers).map(
    ([name, value]) => `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const html = `<h2>HTML</h2><iframe sandbox title="The mail as HTML" src="/inbox/${message.id}/html"></iframe>`;
  return htmlPage(
    message.subject,
    `<p><a href="/inbox">Inbox</a></p><h1>${escapeHtml(message.subject || '(no subject)')}</h1>
    <p class="muted">From ${escapeHtml(message.from)} to ${escapeHtml(message.to.join(', '))}, ${escapeHtml(message.receivedAt)}</p>
    ${message.html ? html : ''}<h2>Text</h2><pre>${escapeHtml(message.text || '(no text part)')}</pre>
    <h2>Headers</h2><table><tbody>${headers.join('')}</tbody></table>`,
  );
}

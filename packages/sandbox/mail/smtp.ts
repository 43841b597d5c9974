import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { delay, type Fault, type Faults } from '../faults.ts';
import type { Inbox } from './inbox.ts';

const MAX_SILENCE_MS = 120_000;
const MAX_MAIL_BYTES = 25 * 1024 * 1024;

type Done = (error?: Error | null) => void;

/** A mail server that accepts all mail and delivers it to the inbox page only. */
export function createSmtpServer(inbox: Inbox, faults: Faults): SMTPServer {
  const server: SMTPServer = new SMTPServer({
    name: 'sandbox.localhost',
    banner: 'Querywright sandbox',
    authOptional: true,
    // Clients would accept no certificate of ours.
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: MAX_MAIL_BYTES,
    maxClients: 1000,
    closeTimeout: 500,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anyone' }),
    // A fault for one recipient refuses only that recipient, as real servers do.
    onRcptTo: (address, session, done) => {
      const fault = consumeFor(faults, address.address);
      if (fault) return void applyFault(server, fault, session, done, address.address);
      done();
    },
    onData: (stream, session, done) => void receiveMail(server, inbox, faults, stream, session, done),
  });
  // Clients may hang up at any time.
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') console.error('sandbox SMTP', error.message);
  });
  return server;
}

async function receiveMail(
  server: SMTPServer,
  inbox: Inbox,
  faults: Faults,
  stream: Readable,
  session: SMTPServerSession,
  done: Done,
): Promise<void> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch {
    return;
  }
  const fault = faults.consume('smtp', WHOLE_MAIL);
  const keep = () => {
    const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address;
    const to = session.envelope.rcptTo.map((recipient) => recipient.address);
    inbox.add(from, to, Buffer.concat(chunks).toString('latin1'));
  };
  if (!fault) {
    keep();
    return done();
  }
  if (fault.when === 'after' || fault.mode === 'slow') keep();
  return applyFault(server, fault, session, done);
}

// A blank is in no recipient, so that a fault with `match` never matches the whole mail.
const WHOLE_MAIL = ' ';

function consumeFor(faults: Faults, recipient: string): Fault | undefined {
  const aimed = faults.list().some((f) => f.target === 'smtp' && f.match && recipient.includes(f.match));
  return aimed ? faults.consume('smtp', recipient) : undefined;
}

async function applyFault(
  server: SMTPServer,
  fault: Fault,
  session: SMTPServerSession,
  done: Done,
  recipient?: string,
): Promise<void> {
  if (fault.mode === 'slow') {
    await delay(fault);
    return done();
  }
  if (fault.mode === 'error') {
    const code = fault.code ?? 451;
    const what = code >= 500 ? 'Refused permanently' : 'Try again later';
    // Real servers name the refused recipient.
    const text = `${code >= 500 ? '5.1.1' : '4.3.0'}${recipient ? ` <${recipient}>:` : ''} ${what}`;
    return done(Object.assign(new Error(`${text} (a fault of the sandbox)`), { responseCode: code }));
  }
  if (fault.mode === 'timeout') await delay({ ...fault, ms: fault.ms ?? MAX_SILENCE_MS });
  cutConnection(server, session);
}

function cutConnection(server: SMTPServer, session: SMTPServerSession): void {
  // smtp-server hands out no socket, but keeps its connections in a public set.
  const { connections } = server as unknown as {
    connections: Set<{ id: string; _socket: { destroy(): void } }>;
  };
  for (const connection of connections) if (connection.id === session.id) connection._socket.destroy();
}

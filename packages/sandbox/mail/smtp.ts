import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { dawdle, type Fault, type Faults } from '../faults.ts';
import type { Inbox } from './inbox.ts';

const SILENCE_LIMIT_MS = 120_000;
const LARGEST_MAIL = 25 * 1024 * 1024;

type Done = (error?: Error | null) => void;

/** A mail server that accepts everything for everyone and delivers to the inbox page only. */
export function createSmtpServer(inbox: Inbox, faults: Faults): SMTPServer {
  const server: SMTPServer = new SMTPServer({
    name: 'sandbox.localhost',
    banner: 'Querywright sandbox',
    authOptional: true,
    // No certificate: a client that upgrades by itself would refuse ours.
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: LARGEST_MAIL,
    maxClients: 1000,
    closeTimeout: 500,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anyone' }),
    // A fault for one recipient refuses that recipient, as real servers do.
    onRcptTo: (address, session, done) => {
      const fault = takeFor(faults, address.address);
      if (fault) return void misbehave(server, fault, session, done, address.address);
      done();
    },
    onData: (stream, session, done) => void takeMail(server, inbox, faults, stream, session, done),
  });
  // Clients that vanish in the middle are everyday life here.
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') console.error('sandbox SMTP', error.message);
  });
  return server;
}

async function takeMail(
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
  const fault = faults.take('smtp', WHOLE_MAIL);
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
  return misbehave(server, fault, session, done);
}

// No recipient contains a blank: a fault with `match` never takes the whole mail.
const WHOLE_MAIL = ' ';

function takeFor(faults: Faults, recipient: string): Fault | undefined {
  const aimed = faults.list().some((f) => f.target === 'smtp' && f.match && recipient.includes(f.match));
  return aimed ? faults.take('smtp', recipient) : undefined;
}

async function misbehave(
  server: SMTPServer,
  fault: Fault,
  session: SMTPServerSession,
  done: Done,
  recipient?: string,
): Promise<void> {
  if (fault.mode === 'slow') {
    await dawdle(fault);
    return done();
  }
  if (fault.mode === 'error') {
    const code = fault.code ?? 451;
    const what = code >= 500 ? 'Refused for good' : 'Try again later';
    // As real servers do, it names whom it refuses.
    const text = `${code >= 500 ? '5.1.1' : '4.3.0'}${recipient ? ` <${recipient}>:` : ''} ${what}`;
    return done(Object.assign(new Error(`${text} (a fault of the sandbox)`), { responseCode: code }));
  }
  if (fault.mode === 'timeout') await dawdle({ ...fault, ms: fault.ms ?? SILENCE_LIMIT_MS });
  cutConnection(server, session);
}

function cutConnection(server: SMTPServer, session: SMTPServerSession): void {
  // smtp-server hands out no socket, but keeps its connections in a public set.
  const { connections } = server as unknown as {
    connections: Set<{ id: string; _socket: { destroy(): void } }>;
  };
  for (const connection of connections) if (connection.id === session.id) connection._socket.destroy();
}

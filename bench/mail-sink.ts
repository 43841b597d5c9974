import { createServer } from 'node:net';

// A mail server that accepts every mail and stores none. It supports PIPELINING (RFC 2920), as production servers do. The
// sandbox's reads a mail byte by byte, which takes a third of the processor time of the pipeline's web process.
const END = '\r\n.\r\n';
const replies: Record<string, string> = {
  EHLO: '250-Mail sink\r\n250 PIPELINING',
  DATA: '354 Go on',
  QUIT: '221 Bye',
};

const server = createServer((socket) => {
  let commands = '';
  /** The last characters of the mail that is being received. */
  let content: string | undefined;

  function receive(text: string): void {
    content = (content + text).slice(-END.length);
    if (content !== END) return;
    content = undefined;
    socket.write('250 Accepted\r\n');
  }

  function obey(text: string): void {
    commands += text;
    if (!commands.endsWith('\r\n')) return;
    const names = commands
      .split('\r\n')
      .slice(0, -1)
      .map((command) => command.slice(0, 4).toUpperCase());
    commands = '';
    if (names.at(-1) === 'DATA') content = '';
    socket.write(names.map((name) => `${replies[name] ?? '250 OK'}\r\n`).join(''));
  }

  socket
    .setNoDelay()
    .setEncoding('latin1')
    .on('error', () => {});
  socket.on('data', (text: string) => (content === undefined ? obey(text) : receive(text)));
  socket.write('220 Mail sink\r\n');
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.info('mail sink ready'));
process.on('SIGTERM', () => process.exit(0));

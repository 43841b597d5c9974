import supertest from 'supertest';
import { contradiction } from './api-contract.ts';

export interface RequestOptions {
  method?: string;
  headers?: ConstructorParameters<typeof Headers>[0];
  body?: string | Uint8Array | URLSearchParams | undefined;
}

/** Sends a request with supertest and returns its answer as a Response. Does not follow redirects. */
export async function request(
  address: string | URL,
  { method = 'GET', headers, body }: RequestOptions = {},
): Promise<Response> {
  const { origin, pathname, search } = new URL(address);
  const verb = method.toLowerCase() as 'get';
  const test = supertest(origin)[verb](`${pathname}${search}`).buffer(true).parse(collectBytes);
  if (body instanceof URLSearchParams) test.set('content-type', 'application/x-www-form-urlencoded');
  for (const [name, value] of new Headers(headers)) test.set(name, value);
  if (body !== undefined) {
    test.serialize(asIs).send(body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(String(body)));
  }
  const answer = toResponse(await test);
  await reportContradiction(method, `${pathname}${search}`, answer.clone());
  return answer;
}

/** An answer that contradicts the OpenAPI document fails the test, also one of a site in another process. */
async function reportContradiction(method: string, url: string, answer: Response): Promise<void> {
  const contentType = answer.headers.get('content-type') ?? '';
  const body = await answer.text();
  const found = contradiction({
    method: method.toUpperCase(),
    url,
    status: answer.status,
    contentType,
    body,
  });
  if (found) console.error(found);
}

type Parser = Parameters<supertest.Test['parse']>[0];

const collectBytes: Parser = (incoming, done) => {
  const chunks: Buffer[] = [];
  const stream = incoming as unknown as NodeJS.ReadableStream;
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(null, Buffer.concat(chunks)));
  stream.on('error', (error) => done(error, undefined));
};

/** Bytes are sent as they are, whatever the content type says. */
const asIs = (bytes: string): string => bytes;

const WITHOUT_BODY = [204, 205, 304];

function toResponse({ status, headers: answered, body }: supertest.Response): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answered as Record<string, string | string[]>)) {
    for (const line of [value].flat()) headers.append(name, line);
  }
  const bytes = Buffer.isBuffer(body) ? Uint8Array.from(body) : null;
  return new Response(WITHOUT_BODY.includes(status) ? null : bytes, { status, headers });
}

import type { RequestListener, ServerResponse } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../api/openapi/document.ts';
import { operations } from '../api/openapi/operations.ts';
import { deskOperations } from './desk-contract/operations.ts';

/** An answer of the API, as a client or the server sees it. */
export interface ObservedAnswer {
  method: string;
  url: string;
  status: number;
  contentType: string;
  body: string;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
// The public document leaves out the desk's calls; their answers are checked as well.
const described = [...operations, ...deskOperations];
ajv.addSchema(openApiDocument('http://localhost', described), 'api');

const routes = described.map((operation) => ({
  ...operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
}));

/** How the answer contradicts the OpenAPI document; undefined if it does not, or if the document does not cover it. */
export function contradiction(answer: ObservedAnswer): string | undefined {
  const path = answer.url.split('?')[0] ?? '';
  const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
  // A path without parameters goes before one with them (OpenAPI 3.1, Paths Object).
  const matching = routes.filter(({ pattern }) => pattern.test(path));
  const concrete = matching.filter((route) => !route.path.includes('{'));
  const onPath = concrete.length > 0 ? concrete : matching;
  const operation = onPath.find(
    (route) => route.method === method && !(answer.method === 'HEAD' && isStream(route)),
  );
  if (!operation) return path.startsWith('/api/') || onPath.length > 0 ? notAnError(answer) : undefined;

  const said = `${answer.method} ${path}: ${answer.status}`;
  const documented = operation.answers[answer.status];
  if (!documented) return `${said} is not documented`;
  if (answer.method === 'HEAD' || !documented.schema) return undefined;
  const type = answer.contentType.split(';')[0] ?? '';
  const pointer = `/paths/${pointerPart(operation.path)}/${method}/responses/${answer.status}/content/${pointerPart(type)}/schema`;
  if (type === 'text/html' && documented.form === 'page') return undefined;
  if (type === 'text/event-stream' && documented.form === 'stream') {
    const events = [...answer.body.matchAll(/^data: (.*)$/gm)].map(([, data]) => data ?? '');
    return events.map((data) => mismatch(said, `${pointer}/contentSchema`, data)).find((found) => found);
  }
  if (type !== 'application/json') return `${said} has the undocumented content type ${type}`;
  return mismatch(said, pointer, answer.body);
}

/** A request that matches no operation is answered with an error. */
function notAnError({ method, url, status, contentType, body }: ObservedAnswer): string | undefined {
  const said = `${method} ${url}: ${status}`;
  if (status < 400) return `${said} is no documented operation`;
  if (method === 'HEAD' || !contentType.startsWith('application/json')) return undefined;
  return mismatch(said, '/components/schemas/Error', body);
}

/** An event stream has no HEAD. */
function isStream({ answers }: (typeof routes)[number]): boolean {
  return answers[200]?.form === 'stream';
}

function mismatch(said: string, pointer: string, body: string): string | undefined {
  const validate = ajv.getSchema(`api#${pointer}`) ?? ajv.compile({ $ref: `api#${pointer}` });
  const value = parseJson(body);
  if (value === undefined) return `${said} is not JSON: ${body.slice(0, 300)}`;
  if (validate(value)) return undefined;
  return `${said} does not match its schema: ${ajv.errorsText(validate.errors)}: ${body.slice(0, 300)}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pointerPart(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The same listener; an answer that contradicts the OpenAPI document is reported by console.error, which fails the test. */
export function checkAnswers(listener: RequestListener): RequestListener {
  return (req, res) => {
    collectBody(res, (body) => {
      const contentType = String(res.getHeader('content-type') ?? '');
      const { method = '', url = '' } = req;
      const found = contradiction({ method, url, status: res.statusCode, contentType, body });
      if (found) console.error(found);
    });
    return listener(req, res);
  };
}

/** Calls `done` with what was written, just before the answer ends. Compressed pages are no text, and not collected. */
function collectBody(res: ServerResponse, done: (body: string) => void): void {
  const chunks: Buffer[] = [];
  const { write, end } = res;
  const collect = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  res.write = ((...parameters: Parameters<typeof write>) => {
    collect(parameters[0]);
    return write.apply(res, parameters);
  }) as typeof write;
  res.end = ((...parameters: Parameters<typeof end>) => {
    collect(parameters[0]);
    done(Buffer.concat(chunks).toString('utf8'));
    return end.apply(res, parameters);
  }) as typeof end;
}

/**
 * An unsuccessful answer (spec §8): the message is the status, a colon, a space and the body's text, or the
 * status text where the body is empty. `serverMessage` and `fields` are what the API wrote for the reader.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly serverMessage: string | undefined;
  readonly fields: Record<string, string>;

  constructor(status: number, text: string) {
    super(`${status}: ${text}`);
    this.name = 'ApiError';
    this.status = status;
    const body = readErrorBody(text);
    this.serverMessage = body.message;
    this.fields = body.fields;
  }
}

interface RequestOptions {
  /** Sent as JSON when given. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/**
 * One call of the API: credentials included, JSON in and out (spec §7).
 * @throws ApiError for every status but 2xx; TypeError when the network fails.
 */
export async function request(method: string, path: string, options: RequestOptions = {}): Promise<unknown> {
  const headers: Record<string, string> = { accept: 'application/json', ...options.headers };
  const init: RequestInit = { method, headers, credentials: 'include', signal: options.signal ?? null };
  if (options.body !== undefined) {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(options.body);
  }
  const response = await fetch(path, init);
  const text = await response.text();
  if (!response.ok) throw new ApiError(response.status, text || response.statusText);
  return text === '' ? null : JSON.parse(text);
}

export const get = (path: string, signal?: AbortSignal) => request('GET', path, signal ? { signal } : {});
export const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  request('POST', path, { body, headers });

/** What to tell the visitor: the server's own words, else the text the specification gives for this situation. */
export function messageOf(error: unknown, fallback: string): string {
  return (error instanceof ApiError && error.serverMessage) || fallback;
}

/** The fields that the server refused, by name; empty when it named none. */
export function fieldsOf(error: unknown): Record<string, string> {
  return error instanceof ApiError ? error.fields : {};
}

/** Reads design §7's error body by hand: the home page must not carry a schema library for one shape. */
function readErrorBody(text: string): { message: string | undefined; fields: Record<string, string> } {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null) return { message: undefined, fields: {} };
    const message = 'message' in body && typeof body.message === 'string' ? body.message : undefined;
    const fields =
      'fields' in body && typeof body.fields === 'object' ? Object.entries(body.fields ?? {}) : [];
    return { message, fields: Object.fromEntries(fields.filter(([, value]) => typeof value === 'string')) };
  } catch {
    return { message: undefined, fields: {} };
  }
}

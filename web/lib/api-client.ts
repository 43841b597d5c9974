import type { ErrorBody } from '../../core/http.ts';
import { track } from './pending.ts';

/**
 * An unsuccessful answer: the message is the status, a colon, a space and the body's text, or the status text if the
 * body is empty. `serverMessage` and `fields` are written for people; `code` is what programs decide by.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly serverMessage: string | undefined;
  readonly fields: Record<string, string>;

  constructor(status: number, text: string, body?: ErrorBody) {
    super(`${status}: ${text}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = body?.code;
    this.serverMessage = body?.message;
    this.fields = body?.fields ?? {};
  }
}

interface RequestOptions {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** One JSON call of the API. @throws ApiError unless 2xx; TypeError without network; AbortError when stopped */
export async function request(method: string, path: string, options: RequestOptions = {}): Promise<unknown> {
  const headers: Record<string, string> = { accept: 'application/json', ...options.headers };
  const controller = new AbortController();
  const abort = () => controller.abort();
  options.signal?.addEventListener('abort', abort);
  const init: RequestInit = { method, headers, credentials: 'include', signal: controller.signal };
  if (options.body !== undefined) {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(options.body);
  }
  const { response, text } = await track(answerOf(path, init), abort);
  if (!response.ok) throw await apiError(response.status, text || response.statusText);
  return text === '' ? null : JSON.parse(text);
}

async function answerOf(path: string, init: RequestInit) {
  const response = await fetch(path, init);
  return { response, text: await response.text() };
}

export const get = (path: string, signal?: AbortSignal) => request('GET', path, signal ? { signal } : {});
export const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  request('POST', path, { body, headers });

/** What to show the visitor: the server's message, else the text for this situation. */
export function messageOf(error: unknown, fallback: string): string {
  return (error instanceof ApiError && error.serverMessage) || fallback;
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.code : undefined;
}

export function fieldsOf(error: unknown): Record<string, string> {
  return error instanceof ApiError ? error.fields : {};
}

/** Also of an answer that is not ours, such as a proxy's error page. */
export async function apiError(status: number, text: string): Promise<ApiError> {
  try {
    // Fetched on demand: a page that never fails needs no schema library.
    const { errorBody } = await import('../../core/http.ts');
    return new ApiError(status, text, errorBody.parse(JSON.parse(text)));
  } catch {
    return new ApiError(status, text);
  }
}

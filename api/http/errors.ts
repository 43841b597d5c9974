import type { ErrorCode } from '../../core/http.ts';

interface Details {
  /** Defaults to the status's code. */
  code?: ErrorCode;
  fields?: Record<string, string> | undefined;
  headers?: Record<string, string>;
  cause?: unknown;
}

export class HttpError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  readonly headers: Record<string, string>;
  constructor(status: number, message: string, { code, fields, headers, cause }: Details = {}) {
    super(message, { cause });
    this.name = 'HttpError';
    this.status = status;
    this.code = code ?? codeOf(status);
    this.fields = fields;
    this.headers = headers ?? {};
  }
}

/** The code of an error without a specific one. */
export function codeOf(status: number): ErrorCode {
  return codes[status] ?? (status < 500 ? 'bad_request' : 'internal_error');
}

const codes: Record<number, ErrorCode> = {
  401: 'not_signed_in',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'body_too_large',
  414: 'url_too_long',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  503: 'unavailable',
};

export class BadRequest extends HttpError {
  constructor(message: string, fields?: Record<string, string>) {
    super(400, message, { fields, code: fields ? 'validation_failed' : 'bad_request' });
    this.name = 'BadRequest';
  }
}

export class NotFound extends HttpError {
  constructor(message: string) {
    super(404, message);
    this.name = 'NotFound';
  }
}

export class Conflict extends HttpError {
  constructor(message: string, code: ErrorCode) {
    super(409, message, { code });
    this.name = 'Conflict';
  }
}

export class Unavailable extends HttpError {
  constructor(message: string, cause?: unknown) {
    super(503, message, { cause, headers: { 'Retry-After': '5' } });
    this.name = 'Unavailable';
  }
}

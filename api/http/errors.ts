/** An answer other than success that the caller is meant to read. */
export class HttpError extends Error {
  readonly status: number;
  readonly fields: Record<string, string> | undefined;
  readonly headers: Record<string, string>;
  constructor(
    status: number,
    message: string,
    options: { fields?: Record<string, string>; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'HttpError';
    this.status = status;
    this.fields = options.fields;
    this.headers = options.headers ?? {};
  }
}

/** 400: the request is malformed; `fields` says what to mend, by name. */
export class BadRequest extends HttpError {
  constructor(message: string, fields?: Record<string, string>) {
    super(400, message, { fields });
    this.name = 'BadRequest';
  }
}

/** 404: there is no such thing, or none that the caller may see. */
export class NotFound extends HttpError {
  constructor(message: string) {
    super(404, message);
    this.name = 'NotFound';
  }
}

/** 409: the request is well-formed but contradicts what the server knows. */
export class Conflict extends HttpError {
  constructor(message: string) {
    super(409, message);
    this.name = 'Conflict';
  }
}

/** 503: something we depend on is away; the same request may succeed later. */
export class Unavailable extends HttpError {
  constructor(message: string, cause?: unknown) {
    super(503, message, { cause, headers: { 'Retry-After': '5' } });
    this.name = 'Unavailable';
  }
}

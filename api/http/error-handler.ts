import type { ErrorRequestHandler } from 'express';
import { ZodError } from 'zod';
import type { ErrorBody } from '../../core/http.ts';
import { messages } from '../../core/messages.ts';
import { isOutage } from '../../infra/outage.ts';
import { OrderError, type OrderErrorCode } from '../../orders/errors.ts';
import { BadRequest, HttpError, Unavailable } from './errors.ts';

/** The only place that turns errors into HTTP responses. A 5xx reveals nothing; the log has the details. */
export const errorHandler: ErrorRequestHandler = (error, req, res, next) => {
  if (res.headersSent) return next(error);
  const answer = toHttpError(error);
  res.locals.errorCode = answer.code;
  // Fields are named by the client.
  if (!answer.fields) res.locals.errorReason = answer.message;
  // Close the connection so an oversized sender cannot keep streaming.
  if (answer.status === 413) res.set('Connection', 'close');
  if (answer.status >= 500) req.log.error({ err: answer.cause ?? error }, 'request failed');
  res
    .status(answer.status)
    .set({ 'Cache-Control': 'no-store', ...answer.headers })
    .json(bodyOf(answer, req.id));
};

function bodyOf({ message, code, fields }: HttpError, requestId: string): ErrorBody {
  return { message, code, fields, requestId };
}

/** The response to an error; 500 for an unexpected one. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof OrderError) return fromOrder(error);
  if (error instanceof ZodError) return fromZod(error);
  if (error instanceof URIError) return new BadRequest('Malformed percent-encoding in URL');
  const fromParser = fromBodyParser(error);
  if (fromParser) return fromParser;
  if (isOutage(error)) return new Unavailable(messages.unavailable, error);
  return new HttpError(500, 'Something went wrong on our side. Nothing was charged by this request.', {
    cause: error,
  });
}

const orderStatuses: Record<OrderErrorCode, number> = {
  order_not_found: 404,
  service_not_found: 400,
  price_changed: 409,
  idempotency_key_reused: 422,
  order_paid: 409,
  order_expired: 409,
  payment_in_progress: 409,
  order_changed: 409,
  other_payment_method: 409,
  payment_of_another_order: 409,
  payment_not_approved: 409,
  provider_unavailable: 503,
  provider_refused: 502,
  forbidden: 403,
  fresh_sign_in_required: 403,
  action_not_possible: 409,
};

function fromOrder({ code, message, fields, cause }: OrderError): HttpError {
  const headers = code === 'provider_unavailable' ? { 'Retry-After': '5' } : undefined;
  return new HttpError(orderStatuses[code], message, { code, fields, headers, cause });
}

/** Names every invalid field, never its value; the message is the first field's. */
function fromZod(error: ZodError): BadRequest {
  // Without a prototype: a key may be called toString.
  const fields: Record<string, string> = Object.create(null);
  for (const issue of error.issues) {
    const isUnknown = issue.code === 'unrecognized_keys';
    const names = isUnknown ? issue.keys : [issue.path.join('.') || 'body'];
    for (const name of names) fields[name.slice(0, 80)] ??= isUnknown ? 'Unknown field' : issue.message;
  }
  return new BadRequest(Object.values(fields)[0] ?? 'The request is not valid', fields);
}

const parserMessages: Record<string, [status: number, message: string]> = {
  'entity.parse.failed': [400, 'The body is not valid JSON'],
  'entity.verify.failed': [400, 'The body is not acceptable'],
  'entity.too.large': [413, 'The body is too large'],
  'encoding.unsupported': [415, 'This content encoding is not supported'],
  'charset.unsupported': [415, 'This charset is not supported; send UTF-8'],
  'request.size.invalid': [400, 'The body does not have the length that Content-Length states'],
  'request.aborted': [400, 'The request was aborted'],
  'stream.encoding.set': [400, 'The body could not be read'],
};

/** body-parser's errors carry their own type and status, which would otherwise become 500. */
function fromBodyParser(error: unknown): HttpError | undefined {
  const { type, status } = error as { type?: string; status?: number };
  const known = parserMessages[type ?? ''];
  if (known) return new HttpError(known[0], known[1]);
  const isClientError = typeof status === 'number' && status >= 400 && status < 500;
  return isClientError ? new HttpError(status, 'The request could not be read') : undefined;
}

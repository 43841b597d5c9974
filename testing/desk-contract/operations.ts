import { errors, ok, tooManyRequests } from '../../api/openapi/operation.ts';
import { withCommonAnswers } from '../../api/openapi/operations.ts';
import { todayView } from '../../core/desk.ts';
import {
  actionTaken,
  emailPath,
  jobAction,
  jobPath,
  orderAction,
  plainAction,
  transferPath,
} from '../../core/desk-actions.ts';
import { deskOrder, mailPath, mailText } from '../../core/desk-order.ts';
import { orderChange, orderExport, orderListRequest, orderPage, salesWeeks } from '../../core/desk-orders.ts';
import { recordPage, recordRequest } from '../../core/desk-record.ts';
import { orderPath } from '../../core/orders.ts';
import { staffView } from '../../core/staff.ts';
import { type DescribedCall, type DeskOperation, keyReused } from './operation.ts';
import { peopleOperations } from './people-operations.ts';

const refusals = errors({
  401: 'The session at the desk has ended.',
  403: 'Not allowed for this role.',
  404: 'Not found, or the caller is not staff.',
  ...tooManyRequests,
});

const described: DescribedCall[] = [
  {
    id: 'deskMe',
    method: 'get',
    path: '/api/desk/me',
    role: 'viewer',
    summary: 'Who is at the desk',
    answers: ok('The person.', staffView),
  },
  {
    id: 'deskToday',
    method: 'get',
    path: '/api/desk/today',
    role: 'viewer',
    summary: 'What needs a person',
    answers: ok('The list.', todayView),
  },
  {
    id: 'deskOrders',
    method: 'post',
    path: '/api/desk/orders/list',
    role: 'viewer',
    summary: 'A page of the orders',
    body: orderListRequest,
    answers: ok('The page.', orderPage),
  },
  {
    id: 'deskExport',
    method: 'post',
    path: '/api/desk/orders/export',
    role: 'operator',
    summary: 'The orders as CSV',
    body: orderExport,
    answers: { 200: { description: 'The file.' }, ...errors(keyReused) },
  },
  {
    id: 'deskChanges',
    method: 'get',
    path: '/api/desk/orders/events',
    role: 'viewer',
    summary: 'New and changed orders',
    answers: { 200: { description: 'The event stream.', schema: orderChange, form: 'stream' } },
  },
  {
    id: 'deskWeeks',
    method: 'get',
    path: '/api/desk/weeks',
    role: 'viewer',
    summary: 'What was paid by week',
    answers: ok('The weeks.', salesWeeks),
  },
  {
    id: 'deskOrder',
    method: 'get',
    path: '/api/desk/orders/{orderId}',
    role: 'viewer',
    summary: 'Read one order with its payments and timeline',
    params: orderPath,
    answers: ok('The order.', deskOrder),
  },
  {
    id: 'deskAct',
    method: 'post',
    path: '/api/desk/orders/{orderId}/actions',
    role: 'operator',
    summary: 'Act on an order',
    params: orderPath,
    body: orderAction,
    answers: {
      ...ok('Recorded; a worker does the rest.', actionTaken),
      ...errors({ 409: 'The order has changed, or does not allow it.', ...keyReused }),
    },
  },
  {
    id: 'deskActOnJob',
    method: 'post',
    path: '/api/desk/jobs/{jobId}/actions',
    role: 'operator',
    summary: 'Run a failed job again, or discard it',
    params: jobPath,
    body: jobAction,
    answers: {
      ...ok('Recorded.', actionTaken),
      ...errors({ 409: 'The job has not failed, or is already resolved.', ...keyReused }),
    },
  },
  {
    id: 'deskDismissTransfer',
    method: 'post',
    path: '/api/desk/transfers/{transferId}/dismiss',
    role: 'operator',
    summary: 'Dismiss a failed payout or refund',
    params: transferPath,
    body: plainAction,
    answers: {
      ...ok('Recorded.', actionTaken),
      ...errors({ 409: 'It is already dismissed.', ...keyReused }),
    },
  },
  {
    id: 'deskDismissEmail',
    method: 'post',
    path: '/api/desk/emails/{emailId}/dismiss',
    role: 'operator',
    summary: 'End a refused e-mail that is not to be sent again',
    params: emailPath,
    body: plainAction,
    answers: {
      ...ok('Recorded.', actionTaken),
      ...errors({ 409: 'It was not refused, or is already dismissed.', ...keyReused }),
    },
  },
  {
    id: 'deskResendEmail',
    method: 'post',
    path: '/api/desk/emails/{emailId}/resend',
    role: 'operator',
    summary: 'Send a refused e-mail again',
    params: emailPath,
    body: plainAction,
    answers: {
      ...ok('Recorded; a worker does the rest.', actionTaken),
      ...errors({ 409: 'It was not refused, or is already dismissed or sent again.', ...keyReused }),
    },
  },
  {
    id: 'deskMail',
    method: 'get',
    path: '/api/desk/orders/{orderId}/emails/{emailId}',
    role: 'viewer',
    summary: 'An e-mail as it reads now',
    params: mailPath,
    answers: ok('The e-mail.', mailText),
  },
  {
    id: 'deskRecord',
    method: 'post',
    path: '/api/desk/record/list',
    role: 'viewer',
    summary: 'A page of what staff did',
    body: recordRequest,
    answers: ok('The page.', recordPage),
  },
  ...peopleOperations,
];

/** Every call of the desk. The integration tests compare every answer with it; the public OpenAPI document does not contain it. */
export const deskOperations: readonly DeskOperation[] = described.map((operation) =>
  withCommonAnswers({
    ...operation,
    tag: 'Desk',
    session: true,
    answers: { ...operation.answers, ...refusals },
  }),
);

import { errors, ok } from '../../api/openapi/operation.ts';
import { actionTaken, plainAction } from '../../core/desk-actions.ts';
import {
  enrollmentListRequest,
  enrollmentPage,
  messageListRequest,
  messagePage,
  messagePath,
  newsletterFigures,
  personData,
  personErased,
  personRequest,
} from '../../core/desk-people.ts';
import { type DescribedCall, keyReused } from './operation.ts';

export const peopleOperations: readonly DescribedCall[] = [
  {
    id: 'deskMessages',
    method: 'post',
    path: '/api/desk/messages/list',
    role: 'viewer',
    summary: 'A page of the messages',
    body: messageListRequest,
    answers: ok('The page.', messagePage),
  },
  {
    id: 'deskAnswered',
    method: 'post',
    path: '/api/desk/messages/{messageId}/answered',
    role: 'operator',
    summary: 'Mark a message as answered',
    params: messagePath,
    body: plainAction,
    answers: {
      ...ok('Recorded.', actionTaken),
      ...errors({ 409: 'It is already answered, or no longer exists.', ...keyReused }),
    },
  },
  {
    id: 'deskEnrollments',
    method: 'post',
    path: '/api/desk/enrollments/list',
    role: 'viewer',
    summary: 'A page of the enrollments',
    body: enrollmentListRequest,
    answers: ok('The page.', enrollmentPage),
  },
  {
    id: 'deskNewsletter',
    method: 'get',
    path: '/api/desk/newsletter',
    role: 'viewer',
    summary: 'Count the subscribers',
    answers: ok('The figures.', newsletterFigures),
  },
  {
    id: 'deskNewsletterExport',
    method: 'post',
    path: '/api/desk/newsletter/export',
    role: 'operator',
    summary: 'The subscribers as CSV',
    body: plainAction,
    answers: { 200: { description: 'The file.' }, ...errors(keyReused) },
  },
  {
    id: 'deskPersonExport',
    method: 'post',
    path: '/api/desk/person/export',
    role: 'operator',
    summary: 'What is stored about a person',
    body: personRequest,
    answers: { ...ok('Everything stored about the person.', personData), ...errors(keyReused) },
  },
  {
    id: 'deskPersonErase',
    method: 'post',
    path: '/api/desk/person/erase',
    role: 'operator',
    summary: 'Erase a person',
    body: personRequest,
    answers: { ...ok('What was erased, and which orders are kept.', personErased), ...errors(keyReused) },
  },
];

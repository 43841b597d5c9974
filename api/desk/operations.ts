import { todayView } from '../../core/desk.ts';
import { type StaffRole, staffView } from '../../core/staff.ts';
import { errors, type Operation, ok, tooManyRequests } from '../openapi/operation.ts';
import { withCommonAnswers } from '../openapi/operations.ts';

/** A call of the desk. Below this role it is refused; for people who are not staff it does not exist. */
interface DeskOperation extends Operation {
  role: StaffRole;
}

const refusals = errors({
  401: 'The session at the desk has ended.',
  403: 'The role does not allow it.',
  404: 'Not found, or the caller is not staff.',
  ...tooManyRequests,
});

/** Every call of the desk. Tests compare the answers with it; no public document has it. */
export const deskOperations: readonly DeskOperation[] = [
  read('deskMe', '/api/desk/me', 'Who is at the desk', ok('The person.', staffView)),
  read('deskToday', '/api/desk/today', 'What needs a person', ok('The list.', todayView)),
].map(withCommonAnswers);

function read(
  id: string,
  path: string,
  summary: string,
  answers: Operation['answers'],
  more: Partial<DeskOperation> = {},
): DeskOperation {
  return {
    ...{ id, path, summary, method: 'get', tag: 'Desk', role: 'viewer', session: true },
    ...more,
    answers: { ...answers, ...refusals },
  };
}

import type { EnrollmentForm, EnrollmentView } from '../../../core/enrollment.ts';
import { remember } from '../../lib/browser-storage.ts';

const STORED = 'querywright.enrollment';

export const emptyEnrollment: EnrollmentForm = {
  companyName: '',
  role: '',
  phone: '',
  primaryUseCase: '',
  teamSize: '1-10',
  complianceNeeds: '',
};

/** What was saved before, as the form's values. */
export function savedValues(saved: EnrollmentView): EnrollmentForm {
  const known = Object.entries(saved).filter(([, value]) => value !== null);
  return { ...emptyEnrollment, ...Object.fromEntries(known) };
}

/**
 * What was being typed when the session ended: kept in this tab over the way through the sign-in, for the person who
 * typed it. Whoever signs in next on the same computer does not see it.
 */
export const draft = {
  keep: (owner: string, values: EnrollmentForm) =>
    remember.write('sessionStorage', STORED, JSON.stringify({ owner, values })),
  forget: () => remember.forget('sessionStorage', STORED),
  /** An unfinished draft breaks the form's own rules, so only its shape is asked for. */
  read: (owner: string): EnrollmentForm | null => {
    const kept = Object(parsed(remember.read('sessionStorage', STORED)));
    if (kept.owner !== owner) return null;
    const texts = Object.entries(Object(kept.values)).filter(
      ([key, text]) => key in emptyEnrollment && typeof text === 'string',
    );
    return { ...emptyEnrollment, ...Object.fromEntries(texts) };
  },
};

function parsed(stored: string | null): unknown {
  try {
    return stored && JSON.parse(stored);
  } catch {
    return null;
  }
}

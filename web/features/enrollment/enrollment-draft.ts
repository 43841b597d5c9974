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

export function savedValues(saved: EnrollmentView): EnrollmentForm {
  const known = Object.entries(saved).filter(([, value]) => value !== null);
  return { ...emptyEnrollment, ...Object.fromEntries(known) };
}

/** Form input, kept in this tab through a sign-in, for the same person only. */
export const draft = {
  keep: (owner: string, values: EnrollmentForm) =>
    remember.write('sessionStorage', STORED, JSON.stringify({ owner, values })),
  forget: () => remember.forget('sessionStorage', STORED),
  /** Checks only the shape: an unfinished draft breaks the form's rules. */
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

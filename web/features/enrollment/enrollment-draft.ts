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

/** What was being typed when the session ended: kept in this tab over the way through the sign-in. */
export const draft = {
  keep: (values: EnrollmentForm) => remember.write('sessionStorage', STORED, JSON.stringify(values)),
  forget: () => remember.forget('sessionStorage', STORED),
  /** An unfinished draft breaks the form's own rules, so only its shape is asked for. */
  read: (): EnrollmentForm | null => {
    const value = parsed(remember.read('sessionStorage', STORED));
    if (typeof value !== 'object' || value === null) return null;
    const texts = Object.entries(value).filter(
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

import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useRef } from 'react';
import { useForm } from 'react-hook-form';
import { enrollmentForm, teamSizes, type EnrollmentForm as Values } from '../../../core/enrollment.ts';
import { paths } from '../../../core/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { TextArea, TextField } from '../../components/ui/field.tsx';
import { SelectField } from '../../components/ui/select-field.tsx';
import { ApiError, fieldsOf } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';
import { draft } from './enrollment-draft.ts';
import { useLeaveForPricing, useSaveEnrollment } from './use-enrollment.ts';

/** Validates by the server's contract, on first submit and then on every change. */
export function EnrollmentForm({ initial, owner }: { initial: Values; owner: string }) {
  const save = useSaveEnrollment();
  const leave = useLeaveForPricing();
  const form = useForm<Values>({
    resolver: zodResolver(enrollmentForm),
    defaultValues: initial,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
  });
  const { errors } = form.formState;
  const { setError, watch } = form;

  useEffect(() => {
    for (const [field, message] of Object.entries(fieldsOf(save.error))) {
      if (field in enrollmentForm.shape) setError(field as keyof Values, { message });
    }
  }, [save.error, setError]);

  // Keeps what is typed across reloads, an ended session and the sign-in.
  useEffect(() => {
    const subscription = watch((values) => draft.keep(owner, { ...initial, ...values }));
    return () => subscription.unsubscribe();
  }, [watch, initial, owner]);

  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-5 sm:grid-cols-2"
      onSubmit={(event) => void form.handleSubmit((values) => save.submit(values))(event)}
    >
      <TextField
        label="Company name"
        autoComplete="organization"
        error={errors.companyName?.message}
        {...form.register('companyName')}
      />
      <TextField
        label="Your role"
        autoComplete="organization-title"
        error={errors.role?.message}
        {...form.register('role')}
      />
      <TextField
        label="Phone number"
        type="tel"
        autoComplete="tel"
        error={errors.phone?.message}
        {...form.register('phone')}
      />
      <SelectField label="Team size" error={errors.teamSize?.message} {...form.register('teamSize')}>
        {teamSizes.map((size) => (
          <option key={size} value={size}>
            {size} employees
          </option>
        ))}
      </SelectField>
      <TextArea
        label="Primary use case"
        rows={4}
        className="sm:col-span-2"
        hint="What does the database do for you, and what should it do better?"
        error={errors.primaryUseCase?.message}
        {...form.register('primaryUseCase')}
      />
      <TextArea
        label="Compliance needs"
        optional
        rows={3}
        className="sm:col-span-2"
        hint="For example GDPR, HIPAA, SOC 2 or PCI DSS."
        error={errors.complianceNeeds?.message}
        {...form.register('complianceNeeds')}
      />
      {isSignedOut(save.error) && <SignedOut />}
      <div className="flex flex-wrap gap-3 sm:col-span-2">
        <Button type="submit" pending={save.isPending} pendingLabel="Submitting...">
          Complete Enrollment
        </Button>
        <Button
          look="secondary"
          onClick={() => {
            draft.forget();
            leave(paths.pricing);
          }}
        >
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Scrolls to the middle of the window, where the toast does not cover its link. */
function SignedOut() {
  const alert = useRef<HTMLParagraphElement>(null);
  useEffect(() => alert.current?.scrollIntoView({ block: 'center' }), []);
  return (
    <p ref={alert} role="alert" className="rounded-card border border-error bg-error-wash p-4 sm:col-span-2">
      Your session has ended. What you typed is kept:{' '}
      <a href={api.login} className="link">
        log in again
      </a>{' '}
      and come back to this page.
    </p>
  );
}

const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

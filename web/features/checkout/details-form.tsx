import { type FormEvent, type KeyboardEvent, type MouseEvent, useEffect } from 'react';
import { serviceSlugs, services } from '../../../core/catalogue.ts';
import { formatPrice } from '../../../core/money.ts';
import { Button } from '../../components/ui/button.tsx';
import { TextField } from '../../components/ui/field.tsx';
import { SelectField } from '../../components/ui/select-field.tsx';
import { type CheckoutDetails, isComplete } from '../../lib/checkout-attempt.ts';
import { textFields } from '../../lib/form-data.ts';
import type { Checkout } from './use-checkout.ts';
import { useStepFocus } from './use-step-focus.ts';

/** HTML has no read-only select, and a disabled one would lose the focus. */
const lockedSelect = {
  'aria-disabled': true,
  onMouseDown: (event: MouseEvent) => event.preventDefault(),
  onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Tab') event.preventDefault();
  },
};

export function DetailsForm({ checkout }: { checkout: Checkout }) {
  const { details, errors, creating } = checkout;
  useEarlyInput(checkout);
  const firstField = useStepFocus<HTMLInputElement>(checkout.focusOn, 'details');

  const submit = (event: FormEvent) => {
    event.preventDefault();
    checkout.continueToPayment();
  };
  return (
    <form
      ref={checkout.form}
      onSubmit={submit}
      onInput={checkout.clearError}
      noValidate
      className="grid grid-cols-1 gap-5"
    >
      <TextField
        ref={firstField}
        label="Full name"
        name="customerName"
        autoComplete="name"
        required
        maxLength={200}
        readOnly={creating}
        value={details.customerName}
        error={errors.customerName}
        onChange={(event) => checkout.change({ customerName: event.target.value })}
      />
      <TextField
        label="E-mail"
        name="customerEmail"
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        readOnly={creating}
        value={details.customerEmail}
        error={errors.customerEmail}
        hint="The receipt goes here. No account is needed."
        onChange={(event) => checkout.change({ customerEmail: event.target.value })}
      />
      <SelectField
        label="Service"
        name="serviceId"
        required
        {...(creating ? lockedSelect : {})}
        value={details.service}
        error={errors.serviceId}
        onChange={(event) => {
          if (!creating) checkout.change({ service: slugOf(event.target.value) });
        }}
      >
        <option value="">Choose a service</option>
        {services.map((service) => (
          <option key={service.slug} value={service.slug}>
            {service.name},{' '}
            {formatPrice((service.slug === details.service && checkout.price) || service.price)}
          </option>
        ))}
      </SelectField>
      <Button
        type="submit"
        disabled={!isComplete(details)}
        pending={creating}
        pendingLabel="One moment..."
        className="w-full"
      >
        Continue to Payment
      </Button>
    </form>
  );
}

/** Picks up what was typed before hydration: the fields show it, but the state does not know it. */
function useEarlyInput({ form, change }: Checkout): void {
  useEffect(() => {
    if (!form.current) return;
    const { serviceId, ...typed } = textFields(form.current);
    change({ ...typed, ...(serviceId ? { service: slugOf(serviceId) } : {}) });
  }, [form, change]);
}

function slugOf(value: string): CheckoutDetails['service'] {
  return serviceSlugs.find((slug) => slug === value) ?? '';
}

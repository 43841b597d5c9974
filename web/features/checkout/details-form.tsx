import { type FormEvent, useRef } from 'react';
import { serviceSlugs, services } from '../../../core/catalogue.ts';
import { formatPrice } from '../../../core/money.ts';
import { Button } from '../../components/ui/button.tsx';
import { SelectField, TextField } from '../../components/ui/field.tsx';
import { isComplete } from '../../lib/checkout-attempt.ts';
import { useFocusOnError } from '../../lib/use-focus-on-error.ts';
import { useTypedEarly } from '../../lib/use-typed-early.ts';
import type { Checkout } from './use-checkout.ts';

/** Who buys what. Continue to Payment waits until all three are there (spec §5). */
export function DetailsForm({ checkout }: { checkout: Checkout }) {
  const { details, errors, creating } = checkout;
  const form = useRef<HTMLFormElement>(null);

  useFocusOnError(form, errors);
  useTypedEarly(form, ({ name, email, service }) => {
    if (name) checkout.change({ customerName: name });
    if (email) checkout.change({ customerEmail: email });
    const slug = serviceSlugs.find((known) => known === service);
    if (slug) checkout.change({ service: slug });
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!creating) void checkout.continueToPayment();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-5">
      <TextField
        label="Full name"
        name="name"
        autoComplete="name"
        required
        maxLength={200}
        value={details.customerName}
        error={errors.customerName}
        onChange={(event) => checkout.change({ customerName: event.target.value })}
      />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        value={details.customerEmail}
        error={errors.customerEmail}
        hint="The receipt goes here. No account is needed."
        onChange={(event) => checkout.change({ customerEmail: event.target.value })}
      />
      <SelectField
        label="Service"
        name="service"
        required
        value={details.service}
        error={errors.service}
        onChange={(event) =>
          checkout.change({ service: serviceSlugs.find((slug) => slug === event.target.value) ?? '' })
        }
      >
        <option value="">Choose a service</option>
        {services.map((service) => (
          <option key={service.slug} value={service.slug}>
            {service.name}, {formatPrice(service.price)}
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

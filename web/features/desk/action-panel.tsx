import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import type { DeskOrder, DeskPayment } from '../../../core/desk-order.ts';
import { amountOf } from '../../../core/desk-orders.ts';
import { formatMoney } from '../../../core/money.ts';
import { brands } from '../../../core/order-texts.ts';
import type { StaffView } from '../../../core/staff.ts';
import { TextField } from '../../components/ui/field.tsx';
import { SelectField } from '../../components/ui/select-field.tsx';
import type { FieldErrors } from '../../lib/use-field-errors.ts';
import { OrderActionForm, orderActionRecorded } from './action-form.tsx';
import { FreshSignIn, isFresh } from './parts.tsx';

/** What an operator can do about the order as it stands. Each asks for a reason; what cannot be undone for a new sign-in. */
export function ActionPanel({ order, me }: { order: DeskOrder; me: StaffView }) {
  const titleId = useId();
  const { id: orderId, status: seen } = order;
  const isLocked = !isFresh(me);
  // Outside the forms: an action may remove its own.
  const [isRecorded, setRecorded] = useState(false);
  const acting = { orderId, onDone: () => setRecorded(true) };
  return (
    <section
      tabIndex={-1}
      aria-labelledby={titleId}
      className="rounded-card border border-line bg-surface p-5"
    >
      <h2 id={titleId} className="text-lg">
        Actions
      </h2>
      <p role="status" className={isRecorded ? 'mt-2 text-sm text-after' : 'sr-only'}>
        {isRecorded && orderActionRecorded}
      </p>
      <div className="mt-2 divide-y divide-line">
        {order.isForDecision && (
          <Action name="decide" title="Decide the review" isLocked={isLocked} isOpen={seen === 'review'}>
            <OrderActionForm
              {...acting}
              label="Decide"
              build={(asked, { status }) => ({ ...asked, action: 'decide', status: status as 'paid', seen })}
            >
              <SelectField label="Outcome" name="status" required defaultValue="paid">
                <option value="paid">Paid: the money is accepted</option>
                <option value="refunded">Refunded: the full amount was returned</option>
                <option value="canceled">Canceled: the order will not go ahead</option>
              </SelectField>
            </OrderActionForm>
          </Action>
        )}
        {order.payments
          .filter(({ refundable }) => refundable > 0)
          .map((payment) => (
            <Action
              key={payment.id}
              name={`refund-${payment.id}`}
              title={`Refund ${brands[payment.provider]}’s payment`}
              isLocked={isLocked}
            >
              <RefundForm acting={acting} payment={payment} />
            </Action>
          ))}
        {order.payments
          .filter(({ isKeepable }) => isKeepable)
          .map(({ id: paymentId, provider, taken }) => (
            <Action
              key={paymentId}
              name={`keep-${paymentId}`}
              title={`Keep ${brands[provider]}’s payment`}
              isLocked={isLocked}
            >
              <OrderActionForm
                {...acting}
                label="Keep the payment"
                build={(asked) => ({ ...asked, action: 'keep', paymentId, seen })}
              >
                <p>
                  {formatMoney(taken?.amount ?? 0, taken?.currency)} pays for the order, since the first
                  payment went back. No money moves. The buyer gets an e-mail.
                </p>
              </OrderActionForm>
            </Action>
          ))}
        {order.isCancelable && (
          <Action name="cancel" title="Cancel the order" isLocked={isLocked}>
            <OrderActionForm
              {...acting}
              label="Cancel the order"
              isFinal
              build={(asked) => ({ ...asked, action: 'cancel', seen })}
            />
          </Action>
        )}
        <Action name="check" title="Check with the provider now">
          <OrderActionForm {...acting} label="Check" build={(asked) => ({ ...asked, action: 'check' })} />
        </Action>
        <Action name="note" title="Write a note">
          <OrderActionForm
            {...acting}
            label="Save note"
            reason="Note"
            build={(asked) => ({ ...asked, action: 'note' })}
          />
        </Action>
      </div>
    </section>
  );
}

type Acting = Pick<ComponentProps<typeof OrderActionForm>, 'orderId' | 'onDone'>;

function RefundForm({ acting, payment }: { acting: Acting; payment: DeskPayment }) {
  const { id: paymentId, refundable: left, onlyInFull, taken } = payment;
  const all = formatMoney(left, taken?.currency ?? 'USD');
  const pending = 'It is pending until the provider reports it.';
  return (
    <OrderActionForm
      {...acting}
      label="Refund"
      isFinal
      check={({ amount = '' }) => (onlyInFull ? {} : checkAmount(amount))}
      build={(asked, { amount = '' }) => ({
        ...asked,
        action: 'refund',
        paymentId,
        left,
        amount: onlyInFull ? left : (amountOf(amount) ?? 0),
      })}
    >
      {(errors) =>
        onlyInFull ? (
          <p>
            All {all}, which ends the dispute. {pending}
          </p>
        ) : (
          <TextField
            key={left}
            label="Amount in dollars"
            name="amount"
            inputMode="decimal"
            defaultValue={(left / 100).toFixed(2)}
            hint={`At most ${all}. ${pending}`}
            error={errors.amount}
          />
        )
      }
    </OrderActionForm>
  );
}

function checkAmount(amount: string): FieldErrors {
  return amountOf(amount) ? {} : { amount: 'Enter dollars and cents, for example 100.50' };
}

function Action(props: {
  name: string;
  title: string;
  isLocked?: boolean;
  isOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <details className="py-2.5" open={props.isOpen || window.location.hash === `#${props.name}`}>
      <summary className="font-medium">{props.title}</summary>
      {props.isLocked ? <FreshSignIn name={props.name} /> : props.children}
    </details>
  );
}

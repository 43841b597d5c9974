import { type FormEvent, useRef } from 'react';
import { services } from '../../../core/catalogue.ts';
import type { OrderFilters } from '../../../core/desk-orders.ts';
import { orderLabels } from '../../../core/order-texts.ts';
import { Button } from '../../components/ui/button.tsx';
import { SelectField, TextField } from '../../components/ui/field.tsx';
import { textFields } from '../../lib/form-data.ts';

/** Filters apply at once, the search when it is sent. */
export function OrderFilterForm(props: {
  filters: OrderFilters;
  text: string;
  /** Whether one came to search. */
  isSearching: boolean;
  onChange: (filters: OrderFilters, text: string) => void;
}) {
  const { filters } = props;
  const form = useRef<HTMLFormElement>(null);
  const apply = () => {
    if (!form.current) return;
    const { text = '', ...chosen } = textFields(form.current);
    props.onChange(Object.fromEntries(Object.entries(chosen).filter(([, value]) => value)), text.trim());
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply();
  };
  const clear = () => {
    form.current?.reset();
    props.onChange({}, '');
  };
  return (
    <search>
      <form
        ref={form}
        onSubmit={submit}
        className="mt-6 grid grid-cols-2 items-end gap-3 sm:grid-cols-3 lg:grid-cols-[2fr_1fr_1fr_1fr_1fr_1fr]"
      >
        <div className="col-span-2 flex items-end gap-2 sm:col-span-3 lg:col-span-6">
          <TextField
            label="Search"
            name="text"
            type="search"
            autoFocus={props.isSearching}
            defaultValue={props.text}
            className="min-w-0 grow"
            placeholder="E-mail, name, order, payment or amount"
          />
          <Button type="submit" look="secondary" className="!py-2.5">
            Search
          </Button>
        </div>
        <SelectField label="State" name="status" value={filters.status ?? ''} onChange={apply}>
          <option value="">Any</option>
          {Object.entries(orderLabels).map(([status, label]) => (
            <option key={status} value={status}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField label="Service" name="service" value={filters.service ?? ''} onChange={apply}>
          <option value="">Any</option>
          {services.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField label="Method" name="method" value={filters.method ?? ''} onChange={apply}>
          <option value="">Any</option>
          <option value="stripe">Card</option>
          <option value="paypal">PayPal</option>
        </SelectField>
        <TextField label="From" name="from" type="date" value={filters.from ?? ''} onChange={apply} />
        <TextField label="To" name="to" type="date" value={filters.to ?? ''} onChange={apply} />
        <Button look="quiet" className="!py-2.5" onClick={clear}>
          Clear
        </Button>
      </form>
    </search>
  );
}

import { type ChangeEvent, type FormEvent, useRef } from 'react';
import { services } from '../../../core/catalogue.ts';
import type { OrderFilters } from '../../../core/desk-orders.ts';
import { orderLabels } from '../../../core/order-texts.ts';
import { Button } from '../../components/ui/button.tsx';
import { SelectField, TextField } from '../../components/ui/field.tsx';

/** Filters apply at once, the search when it is sent. */
export function OrderFilterForm(props: {
  filters: OrderFilters;
  text: string;
  /** Whether one came to search. */
  isSearching: boolean;
  onChange: (filters: OrderFilters, text: string) => void;
}) {
  const { filters } = props;
  const search = useRef<HTMLInputElement>(null);
  // What was chosen last: the page follows a moment later.
  const latest = useRef(filters);
  latest.current = filters;
  const show = (chosen: Record<string, string>) => {
    latest.current = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value));
    props.onChange(latest.current, search.current?.value.trim() ?? '');
  };
  const choose = ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
    show({ ...latest.current, [target.name]: target.value });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    show(latest.current);
  };
  const clear = () => {
    if (search.current) search.current.value = '';
    show({});
  };
  return (
    <search>
      <form
        onSubmit={submit}
        className="mt-6 grid grid-cols-2 items-end gap-3 sm:grid-cols-3 lg:grid-cols-[2fr_1fr_1fr_1fr_1fr_1fr]"
      >
        <div className="col-span-2 flex items-end gap-2 sm:col-span-3 lg:col-span-6">
          <TextField
            label="Search"
            ref={search}
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
        <SelectField label="State" name="status" value={filters.status ?? ''} onChange={choose}>
          <option value="">Any</option>
          {Object.entries(orderLabels).map(([status, label]) => (
            <option key={status} value={status}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField label="Service" name="service" value={filters.service ?? ''} onChange={choose}>
          <option value="">Any</option>
          {services.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField label="Method" name="method" value={filters.method ?? ''} onChange={choose}>
          <option value="">Any</option>
          <option value="stripe">Card</option>
          <option value="paypal">PayPal</option>
        </SelectField>
        <TextField label="From" name="from" type="date" value={filters.from ?? ''} onChange={choose} />
        <TextField label="To" name="to" type="date" value={filters.to ?? ''} onChange={choose} />
        <Button look="quiet" className="!py-2.5" onClick={clear}>
          Clear
        </Button>
      </form>
    </search>
  );
}

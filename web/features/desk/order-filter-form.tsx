import { type ChangeEvent, type FormEvent, useEffect, useRef } from 'react';
import { services } from '../../../core/catalogue.ts';
import type { OrderFilters } from '../../../core/desk-orders.ts';
import { brands, orderLabels } from '../../../core/order-texts.ts';
import { Button } from '../../components/ui/button.tsx';
import { TextField } from '../../components/ui/field.tsx';
import { SelectField } from '../../components/ui/select-field.tsx';

const days = [
  { name: 'from', label: 'From (UTC)' },
  { name: 'to', label: 'To (UTC)' },
] as const;

const choices = [
  { name: 'status', label: 'Status', options: orderLabels },
  {
    name: 'service',
    label: 'Service',
    options: Object.fromEntries(services.map(({ slug, name }) => [slug, name])),
  },
  { name: 'method', label: 'Method', options: brands },
] as const;

/** Filters apply at once, the search when it is sent. */
export function OrderFilterForm(props: {
  filters: OrderFilters;
  text: string;
  isSearching: boolean;
  onChange: (filters: OrderFilters, text: string) => void;
}) {
  const { filters } = props;
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (search.current) search.current.value = props.text;
  }, [props.text]);
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
            label="Search by e-mail, name, order, payment or amount"
            ref={search}
            name="text"
            type="search"
            autoFocus={props.isSearching}
            defaultValue={props.text}
            className="min-w-0 grow"
          />
          <Button type="submit" look="secondary" className="!py-3">
            Search
          </Button>
        </div>
        {choices.map(({ name, label, options }) => (
          <SelectField
            key={name}
            label={label}
            name={name}
            value={filters[name] ?? ''}
            onChange={choose}
            className={name === 'status' ? 'col-span-2 sm:col-span-1' : undefined}
          >
            <option value="">Any</option>
            {Object.entries(options).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </SelectField>
        ))}
        {days.map(({ name, label }) => (
          <TextField
            key={name}
            label={label}
            name={name}
            type="date"
            value={filters[name] ?? ''}
            onChange={choose}
            className="col-span-2 sm:col-span-1"
          />
        ))}
        <Button look="quiet" className="-ml-4 justify-self-start sm:ml-0" onClick={clear}>
          Clear
        </Button>
      </form>
    </search>
  );
}

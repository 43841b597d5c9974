import { ArtefactFrame } from './artefact-frame.tsx';

interface Column {
  name: string;
  /** What is wrong with it, or what it is now. */
  mark?: 'repeated' | 'key';
}
interface Table {
  name: string;
  columns: readonly Column[];
}

const wide: Table = {
  name: 'orders',
  columns: [
    { name: 'id', mark: 'key' },
    { name: 'customer_name', mark: 'repeated' },
    { name: 'customer_email', mark: 'repeated' },
    { name: 'customer_city', mark: 'repeated' },
    { name: 'item_1, price_1', mark: 'repeated' },
    { name: 'item_2, price_2', mark: 'repeated' },
    { name: 'item_3, price_3', mark: 'repeated' },
    { name: 'created_at' },
  ],
};

const customers: Table = {
  name: 'customers',
  columns: [{ name: 'id', mark: 'key' }, { name: 'name' }, { name: 'email' }, { name: 'city' }],
};
const orders: Table = {
  name: 'orders',
  columns: [{ name: 'id', mark: 'key' }, { name: 'customer_id', mark: 'key' }, { name: 'created_at' }],
};
const orderItems: Table = {
  name: 'order_items',
  columns: [
    { name: 'order_id', mark: 'key' },
    { name: 'position', mark: 'key' },
    { name: 'product_id' },
    { name: 'price_cents' },
  ],
};

/** What the repetition costs, counted in the review. */
const costs = [
  { term: 'Customers with two cities', fact: '2,918' },
  { term: 'Orders cut off at three items', fact: '41,206' },
  { term: 'Bytes stored twice or more', fact: '22 GB' },
] as const;

/** One wide table whose columns repeat, and the three that hold every fact once. */
export function SchemaDiagram() {
  return (
    <ArtefactFrame
      title="schema review, orders"
      note="1 table to 3"
      caption="One wide table repeats its customer in every row and stops at three items. Three tables hold each fact once, with keys that keep them together."
    >
      <div className="grid gap-x-8 gap-y-6 px-4 py-5 sm:grid-cols-2 sm:px-5">
        <section aria-label="Schema before">
          <p className="mb-2 text-sm font-medium">Before</p>
          <TableBox table={wide} />
          <dl className="mt-4 grid gap-1.5 text-xs">
            {costs.map(({ term, fact }) => (
              <div key={term} className="flex justify-between gap-4 border-b border-line pb-1.5">
                <dt className="text-muted">{term}</dt>
                <dd className="font-mono text-before">{fact}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section aria-label="Schema after">
          <p className="mb-2 text-sm font-medium">After</p>
          <TableBox table={customers} />
          <Relation text="one customer, many orders" />
          <TableBox table={orders} />
          <Relation text="one order, many items" />
          <TableBox table={orderItems} />
        </section>
      </div>
    </ArtefactFrame>
  );
}

const colours = { repeated: 'text-before', key: 'font-semibold text-ink' };

function TableBox({ table }: { table: Table }) {
  return (
    <div className="overflow-hidden rounded-md border border-edge font-mono text-xs">
      <p className="border-b border-edge bg-sunken px-3 py-1.5 font-semibold">{table.name}</p>
      <ul className="px-3 py-1.5">
        {table.columns.map((column) => (
          <li
            key={column.name}
            className={`flex justify-between gap-3 leading-6 ${column.mark ? colours[column.mark] : 'text-muted'}`}
          >
            <span className="min-w-0 truncate">{column.name}</span>
            {column.mark && <span className="shrink-0 font-normal">{column.mark}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Relation({ text }: { text: string }) {
  return (
    <p className="flex h-9 items-center gap-2 pl-5 text-xs text-muted">
      <svg
        viewBox="0 0 12 36"
        className="h-9 w-3 text-after"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
      >
        <path d="M6 0v36M6 26l-5 10M6 26l5 10M2 4h8" strokeWidth="1.5" />
      </svg>
      {text}
    </p>
  );
}

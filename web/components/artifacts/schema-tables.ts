/** Where a column of the wide table belongs; each of them becomes a table. */
export type Home = 'customers' | 'orders' | 'order_items';

export interface Column {
  name: string;
  type: string;
  /** Constraints, as the trade abbreviates them. */
  keys?: string;
  /** In the wide table: the table it moves to. */
  moves?: Home;
}

export interface Table {
  name: Home;
  columns: readonly Column[];
}

export const wide: Table = {
  name: 'orders',
  columns: [
    { name: 'id', type: 'bigint', keys: 'PK' },
    { name: 'created_at', type: 'timestamp' },
    { name: 'customer_name', type: 'text', moves: 'customers' },
    { name: 'customer_email', type: 'text', moves: 'customers' },
    { name: 'customer_city', type: 'text', moves: 'customers' },
    { name: 'sku_1', type: 'text', moves: 'order_items' },
    { name: 'price_1', type: 'float8', moves: 'order_items' },
    { name: 'sku_2', type: 'text', moves: 'order_items' },
    { name: 'price_2', type: 'float8', moves: 'order_items' },
    { name: 'sku_3', type: 'text', moves: 'order_items' },
    { name: 'price_3', type: 'float8', moves: 'order_items' },
  ],
};

export const clean: readonly Table[] = [
  {
    name: 'customers',
    columns: [
      { name: 'id', type: 'bigint', keys: 'PK' },
      { name: 'name', type: 'text' },
      { name: 'email', type: 'text', keys: 'UNIQUE' },
      { name: 'city', type: 'text' },
    ],
  },
  {
    name: 'orders',
    columns: [
      { name: 'id', type: 'bigint', keys: 'PK' },
      { name: 'customer_id', type: 'bigint', keys: 'FK' },
      { name: 'created_at', type: 'timestamptz' },
    ],
  },
  {
    name: 'order_items',
    columns: [
      { name: 'order_id', type: 'bigint', keys: 'PK FK' },
      { name: 'line', type: 'smallint', keys: 'PK' },
      { name: 'sku', type: 'text' },
      { name: 'price_cents', type: 'integer', keys: 'CHECK' },
    ],
  },
];

/** How each clean table hangs on the one above it. */
export const relations = ['one customer, many orders', 'one order, many items'] as const;

const ORDERS = 31_400_000;
const CUSTOMERS = 412_000;
/** Name, e-mail and city of one customer, on the average. */
const CUSTOMER_BYTES = 64;

/** What the repetition costs, counted in the review. */
export const costs = [
  { term: 'Orders', fact: `${ORDERS / 1e6} million` },
  { term: 'Copies per customer', fact: String(Math.round(ORDERS / CUSTOMERS)) },
  { term: 'Bytes in those copies', fact: `${(((ORDERS - CUSTOMERS) * CUSTOMER_BYTES) / 1e9).toFixed(1)} GB` },
  { term: 'Customers in two cities', fact: '2,918' },
  { term: 'Split at the fourth item', fact: '41,206' },
] as const;

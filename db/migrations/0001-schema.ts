import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table users (
      id uuid primary key default gen_random_uuid(),
      issuer text not null,
      subject text not null,
      email text unique,
      email_verified boolean not null default false,
      first_name text,
      last_name text,
      profile_image_url text,
      company_name text,
      role text,
      phone varchar(20),
      primary_use_case text,
      team_size text check (team_size in ('1-10', '11-50', '51-200', '201-500', '500+')),
      compliance_needs text,
      enrollment_status text not null default 'pending' check (enrollment_status in ('pending', 'completed')),
      enrollment_completed_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (issuer, subject)
    );

    create table sessions (
      sid text primary key,
      sess json not null,
      expire timestamptz not null
    );
    create index sessions_expire on sessions (expire);

    create table services (
      id uuid primary key default gen_random_uuid(),
      name text not null,
      slug text not null unique,
      description text not null,
      price integer not null check (price > 0)
    );

    create table orders (
      id uuid primary key default gen_random_uuid(),
      user_id uuid references users (id) on delete set null,
      service_id uuid not null references services (id),
      customer_name text not null,
      customer_email text not null,
      payment_method text not null check (payment_method in ('stripe', 'paypal')),
      payment_intent_id text unique,
      amount integer not null check (amount > 0),
      currency text not null default 'USD' check (currency = 'USD'),
      amount_refunded integer not null default 0 check (amount_refunded between 0 and amount),
      status text not null default 'pending' check (status in (
        'pending', 'processing', 'paid', 'failed', 'canceled',
        'partially_refunded', 'refunded', 'disputed', 'review')),
      -- json, not jsonb: the order of the captures matters (the first one settles) and jsonb would lose it
      payment_facts json not null default '{"captures":{},"refunded":{},"disputes":{},"attempt":null,"decision":null}',
      idempotency_key text unique,
      request_fingerprint text,
      failure_reason text,
      checks integer not null default 0,
      next_check_at timestamptz,
      paid_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index orders_next_check on orders (next_check_at) where next_check_at is not null;
    create index orders_user on orders (user_id) where user_id is not null;
    create index orders_service on orders (service_id);

    create table payment_events (
      id bigint generated always as identity primary key,
      provider text not null check (provider in ('stripe', 'paypal')),
      event_id text not null,
      type text not null,
      -- json, not jsonb: the provider's own text, also where it holds escapes that jsonb refuses
      payload json not null,
      status text not null default 'received' check (status in ('received', 'processed', 'ignored', 'dead')),
      order_id uuid references orders (id),
      note text,
      received_at timestamptz not null default now(),
      processed_at timestamptz,
      unique (provider, event_id)
    );
    create index payment_events_order on payment_events (order_id) where order_id is not null;

    create table order_history (
      id bigint generated always as identity primary key,
      order_id uuid not null references orders (id),
      from_status text,
      to_status text not null,
      cause text not null,
      payment_event_id bigint references payment_events (id),
      request_id text,
      created_at timestamptz not null default now()
    );
    create index order_history_order on order_history (order_id, id);

    create table outbox (
      id bigint generated always as identity primary key,
      job text not null,
      queue text not null,
      payload jsonb not null,
      status text not null default 'open' check (status in ('open', 'done', 'dead')),
      pushes integer not null default 1,
      attempts integer not null default 0,
      last_error text,
      request_id text,
      created_at timestamptz not null default now(),
      -- when the relay pushes the row (again): after the lease of its last push, or after a failure's backoff
      due_at timestamptz not null,
      done_at timestamptz
    );
    create index outbox_due on outbox (due_at) where status = 'open';
    create index outbox_dead on outbox (id) where status = 'dead';

    create table emails (
      id bigint generated always as identity primary key,
      kind text not null,
      subject_id text not null,
      recipient text,
      message_id text unique,
      status text not null default 'queued' check (status in ('queued', 'sending', 'sent', 'refused', 'dropped')),
      attempts integer not null default 0,
      claimed_at timestamptz,
      last_error text,
      created_at timestamptz not null default now(),
      sent_at timestamptz,
      unique (kind, subject_id)
    );
    create index emails_refused on emails (id) where status = 'refused';

    -- rate-limiter-flexible's table, where there is no Redis
    create table rate_limits (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    );

    create table contact_messages (
      id uuid primary key default gen_random_uuid(),
      name text not null,
      email text not null,
      message text not null,
      created_at timestamptz not null default now()
    );

    create table newsletter_subscriptions (
      id uuid primary key default gen_random_uuid(),
      email text not null unique,
      status text not null default 'pending' check (status in ('pending', 'confirmed', 'unsubscribed')),
      confirmations_sent integer not null default 0,
      confirmation_sent_at timestamptz,
      subscribed_at timestamptz not null default now(),
      confirmed_at timestamptz,
      unsubscribed_at timestamptz
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table rate_limits, newsletter_subscriptions, contact_messages, emails, outbox, order_history, payment_events,
      orders, services, sessions, users;
  `);
}

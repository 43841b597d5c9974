import type { Knex } from 'knex';

/**
 * Everything learned about a payment goes through the inbox: each row says where it came from. Providers are named by the
 * code, not by a list in the schema, so that a further one needs no migration. Payment facts know money by payment id;
 * 1.0.0 used the provider's charge or capture id, which becomes an attribute. It would take a converted payment for a second
 * one and refund it: its processes have to be stopped, and cannot ask for that refund if they still run.
 */
export async function up(knex: Knex): Promise<void> {
  await requireStopped(knex);
  await knex.raw(`
    create function refuse_job() returns trigger language plpgsql as $$
      begin raise exception '% is a job of 1.0.0, which must not run on this schema', new.job; end $$;
    create trigger outbox_refund_by_charge before insert on outbox for each row
      when (new.job = 'refund-duplicate-capture') execute function refuse_job();
    alter table payment_events
      add column source text not null default 'webhook' check (source in (
        'webhook', 'confirm call', 'capture call', 'reconciliation', 'expiry', 'backfill', 'operator')),
      drop constraint payment_events_provider_check,
      add constraint payment_events_provider_check check (provider ~ '^[a-z]{2,20}$');
    alter table orders
      drop constraint orders_payment_method_check,
      add constraint orders_payment_method_check check (payment_method ~ '^[a-z]{2,20}$');
    -- Names a charge, not a payment: an operator decides what becomes of it.
    update outbox set status = 'dead', last_error = 'replaced by refund-duplicate'
    where job = 'refund-duplicate-capture' and status = 'open';
  `);
  for (let last: string | undefined = NIL; last; last = await convertFacts(knex, last));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger if exists outbox_refund_by_charge on outbox;
    drop function if exists refuse_job;
    alter table payment_events drop column source,
      drop constraint payment_events_provider_check,
      add constraint payment_events_provider_check check (provider in ('stripe', 'paypal'));
    alter table orders drop constraint orders_payment_method_check,
      add constraint orders_payment_method_check check (payment_method in ('stripe', 'paypal'));
  `);
}

async function requireStopped(knex: Knex): Promise<void> {
  const { rows } = await knex.raw(`
    select from pg_stat_activity
    where datname = current_database() and application_name in ('querywright web', 'querywright worker')
      and exists (select from orders where payment_facts->>'captures' <> '{}') limit 1`);
  if (rows.length > 0)
    throw new Error(
      'Stop the web and worker processes of 1.0.0 first: they cannot run on the schema of this release',
    );
}

const NIL = '00000000-0000-0000-0000-000000000000';
const BATCH = 1_000;

interface Row {
  id: string;
  payment_method: string;
  payment_intent_id: string | null;
  payment_facts: {
    captures: Record<string, { provider?: string; captureId?: string }>;
    refunded: Record<string, number>;
    decision: unknown;
  };
}

/** Converts the next batch of orders that know money. Returns the last id, undefined at the end. */
async function convertFacts(knex: Knex, after: string): Promise<string | undefined> {
  const rows: Row[] = await knex('orders')
    .select('id', 'payment_method', 'payment_intent_id', 'payment_facts')
    .where('id', '>', after)
    .whereRaw(`payment_facts->>'captures' <> '{}'`)
    .orderBy('id')
    .limit(BATCH);
  for (const row of rows) {
    await knex('orders')
      .where({ id: row.id })
      .update({ payment_facts: JSON.stringify(convert(row)) });
  }
  return rows.length < BATCH ? undefined : rows.at(-1)?.id;
}

/** An order's only capture by its payment method becomes its payment; any other capture keeps its id. */
function convert({
  payment_method: method,
  payment_intent_id: paymentId,
  payment_facts: facts,
}: Row): object {
  const own = Object.keys(facts.captures).filter((id) => (facts.captures[id]?.provider ?? method) === method);
  const rename = (id: string) => (own.length === 1 && own[0] === id && paymentId ? paymentId : id);
  const captures = Object.entries(facts.captures).map(([id, capture]) => [
    rename(id),
    { ...capture, captureId: capture.captureId ?? id },
  ]);
  const refunded = Object.entries(facts.refunded).map(([id, total]) => [rename(id), total]);
  const payments = captures.map(([id]) => id);
  return {
    ...facts,
    captures: Object.fromEntries(captures),
    refunded: Object.fromEntries(refunded),
    decision:
      typeof facts.decision === 'string'
        ? { status: facts.decision, payments, observedAt: 0 }
        : facts.decision,
  };
}

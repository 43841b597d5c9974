import type { Knex } from 'knex';

/**
 * E-mails carry `params`, the order they are about and a dedupe key, instead of facts packed into `subject_id`.
 *
 * The previous version keeps serving meanwhile. It inserts and reads `subject_id` only, so the column and its unique key
 * stay, and a trigger fills in the side that the inserting version does not know; kinds that both versions send have the
 * same key on both sides. A later migration drops `subject_id` and the trigger. No step holds a lock for long, and each
 * can be repeated after a failure.
 */
export const config = { transaction: false };

const ROWS_PER_STATEMENT = 5_000;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(expand);
  await knex.raw('drop index if exists emails_order');
  await knex.raw('create index concurrently emails_order on emails (order_id) where order_id is not null');
  await inBatches(knex, backfill);
  await knex.raw(earlierRefunds);
  await knex.raw('drop index if exists emails_kind_dedupe_key');
  await knex.raw('create unique index concurrently emails_kind_dedupe_key on emails (kind, dedupe_key)');
  await knex.raw('alter table emails alter column dedupe_key set not null');
}

async function inBatches(knex: Knex, sql: string): Promise<void> {
  const { rows } = await knex.raw<{ rows: { last: string | null }[] }>('select max(id) as last from emails');
  for (let from = 0; from < Number(rows[0]?.last ?? 0); from += ROWS_PER_STATEMENT) {
    await knex.raw(sql, [from, from + ROWS_PER_STATEMENT]);
  }
}

const expand = `
  alter table emails
    add column if not exists dedupe_key text,
    add column if not exists params jsonb not null default '{}',
    add column if not exists order_id uuid references orders (id);

  create or replace function email_order_id(kind text, subject_id text) returns uuid language sql stable as $$
    select case when kind in (
      'order_confirmation', 'order_notice', 'payment_failed', 'refund_notice', 'dispute_notice', 'review_alert',
      'duplicate_payment_alert') then split_part(subject_id, ':', 1)::uuid end
  $$;

  create or replace function email_params(kind text, subject_id text) returns jsonb language sql volatile as $$
    select case kind
      when 'refund_notice' then jsonb_build_object(
        'refundedTotal', detail::bigint,
        'refundedBefore', coalesce((
          select max((earlier.params->>'refundedTotal')::bigint) from emails earlier
          where earlier.kind = 'refund_notice' and earlier.order_id = subject::uuid
            and (earlier.params->>'refundedTotal')::bigint < detail::bigint), 0))
      when 'dispute_notice' then jsonb_build_object(
        'disputeId', detail,
        'state', case when event = 'opened' then 'opened' else coalesce((
          select nullif(payment_facts->'disputes'->detail->>'outcome', 'open') from orders
          where orders.id = subject::uuid), 'lost') end)
      when 'review_alert' then jsonb_build_object('paymentId', detail)
      when 'duplicate_payment_alert' then jsonb_build_object('paymentId', detail)
      when 'contact_notice' then jsonb_build_object('messageId', subject)
      when 'contact_acknowledgement' then jsonb_build_object('messageId', subject)
      when 'newsletter_confirmation' then jsonb_build_object('subscriptionId', subject)
      when 'newsletter_welcome' then jsonb_build_object('subscriptionId', subject)
      when 'enrollment_notice' then jsonb_build_object('userId', subject)
      else '{}' end
    from (select split_part(subject_id, ':', 1) as subject, split_part(subject_id, ':', 2) as detail,
      split_part(subject_id, ':', 3) as event) as parts
  $$;

  create or replace function complete_email() returns trigger language plpgsql as $$
  begin
    if new.dedupe_key is null then
      new.dedupe_key := new.subject_id;
      new.order_id := email_order_id(new.kind, new.subject_id);
      new.params := email_params(new.kind, new.subject_id);
    end if;
    new.subject_id := coalesce(new.subject_id, new.dedupe_key);
    return new;
  end $$;

  create or replace trigger complete_email before insert on emails for each row execute function complete_email()`;

const backfill = `
  update emails set dedupe_key = subject_id, order_id = email_order_id(kind, subject_id),
    params = case kind
      when 'refund_notice' then
        jsonb_build_object('refundedTotal', split_part(subject_id, ':', 2)::bigint, 'refundedBefore', 0)
      else email_params(kind, subject_id) end
  where id > ? and id <= ? and dedupe_key is null`;

/** In one pass: a lookup for each refund would take too long. */
const earlierRefunds = `
  update emails set params = jsonb_set(params, '{refundedBefore}', to_jsonb(before))
  from (
    select id, lag(total) over (partition by order_id order by total) as before
    from (
      select id, order_id, (params->>'refundedTotal')::bigint as total from emails where kind = 'refund_notice'
    ) as refund
  ) as refunds
  where emails.id = refunds.id and before is not null`;

/** E-mails of kinds that the previous version cannot compose are dropped rather than left to fail. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update emails set status = 'dropped' where status in ('queued', 'sending') and kind not in (
      'order_confirmation', 'order_notice', 'payment_failed', 'refund_notice', 'dispute_notice', 'review_alert',
      'duplicate_payment_alert', 'contact_notice', 'contact_acknowledgement', 'newsletter_confirmation',
      'newsletter_welcome', 'enrollment_notice');
    drop trigger if exists complete_email on emails;
    drop function if exists complete_email, email_params, email_order_id;
    alter table emails drop column if exists dedupe_key, drop column if exists params, drop column if exists order_id`);
}

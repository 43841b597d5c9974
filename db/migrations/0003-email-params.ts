import type { Knex } from 'knex';

/**
 * E-mails carry `params`, the order they are about and a dedupe key, instead of facts packed into `subject_id`.
 *
 * Processes of the previous version keep serving during the deployment. They insert and read `subject_id` only, so the
 * column and its unique key stay, and a trigger fills in whichever side the inserting version does not know. Kinds that
 * both versions send have the same key on both sides. A later migration drops `subject_id` and the trigger.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table emails
      add column dedupe_key text,
      add column params jsonb,
      add column order_id uuid references orders (id);

    create function email_order_id(kind text, subject_id text) returns uuid language sql stable as $$
      select orders.id from orders
      where orders.id::text = split_part(subject_id, ':', 1) and kind in (
        'order_confirmation', 'order_notice', 'payment_failed', 'refund_notice', 'dispute_notice', 'review_alert',
        'duplicate_payment_alert')
    $$;

    create function email_params(kind text, subject_id text) returns jsonb language sql volatile as $$
      select case kind
        when 'refund_notice' then jsonb_build_object(
          'refundedTotal', detail::bigint,
          'refundedBefore', coalesce((
            select max(split_part(earlier.subject_id, ':', 2)::bigint) from emails earlier
            where earlier.kind = 'refund_notice' and earlier.subject_id like subject || ':%'
              and split_part(earlier.subject_id, ':', 2)::bigint < detail::bigint), 0))
        when 'dispute_notice' then jsonb_build_object(
          'disputeId', detail,
          'state', case when event = 'opened' then 'opened' else coalesce((
            select nullif(payment_facts->'disputes'->detail->>'outcome', 'open') from orders
            where orders.id::text = subject), 'lost') end)
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

    create function complete_email() returns trigger language plpgsql as $$
    begin
      if new.dedupe_key is null then
        new.dedupe_key := new.subject_id;
        new.order_id := email_order_id(new.kind, new.subject_id);
        new.params := email_params(new.kind, new.subject_id);
      end if;
      new.subject_id := coalesce(new.subject_id, new.dedupe_key);
      return new;
    end $$;

    create trigger complete_email before insert on emails for each row execute function complete_email();

    update emails set dedupe_key = subject_id, order_id = email_order_id(kind, subject_id),
      params = email_params(kind, subject_id);

    alter table emails
      alter column dedupe_key set not null,
      alter column params set default '{}',
      alter column params set not null,
      add unique (kind, dedupe_key);
    create index emails_order on emails (order_id) where order_id is not null;
  `);
}

/** Mails of kinds that the previous version cannot compose are dropped rather than left to fail. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update emails set status = 'dropped' where status in ('queued', 'sending') and kind not in (
      'order_confirmation', 'order_notice', 'payment_failed', 'refund_notice', 'dispute_notice', 'review_alert',
      'duplicate_payment_alert', 'contact_notice', 'contact_acknowledgement', 'newsletter_confirmation',
      'newsletter_welcome', 'enrollment_notice');
    drop trigger complete_email on emails;
    drop function complete_email, email_params, email_order_id;
    alter table emails drop column dedupe_key, drop column params, drop column order_id;
  `);
}

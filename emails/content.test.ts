import { describe, expect, it } from 'vitest';
import type { Concern } from '../core/concerns.ts';
import { statusText } from '../core/order-texts.ts';
import { serviceBySlug, serviceSlugs } from '../core/services.ts';
import { renderEmail } from './index.ts';
import { sampleProps } from './samples/sample-props.ts';

describe('the order confirmation', () => {
  it('is a receipt: order, service, amount, date, payment method, buyer, and a link to the order', () => {
    const { subject, text } = renderEmail('order_confirmation', sampleProps.order_confirmation);
    expect(subject).toBe('Your Database Audit order: receipt for $2,999.00');
    expect(text).toMatch(/Database Audit +\$2,999\.00/);
    expect(text).toMatch(/Amount paid \(USD\) +\$2,999\.00/);
    expect(text).toMatch(/Order: +7d0c3a52-9f6e-4b1d-8a27-5e4f1c90b3d8/);
    expect(text).toMatch(/Date: +November 12, 2026 at 5:42 PM UTC/);
    expect(text).toMatch(/Payment method: +Card/);
    expect(text).toContain(
      'https://querywright.example/success?orderId=7d0c3a52-9f6e-4b1d-8a27-5e4f1c90b3d8',
    );
  });

  it('does not call a bank debit a card', () => {
    const byDebit = { methodType: 'us_bank_account' };
    const receipt = renderEmail('order_confirmation', { ...sampleProps.order_confirmation, ...byDebit });
    expect(receipt.text).toMatch(/Payment method: +Bank debit/);
    const processing = renderEmail('payment_processing', { ...sampleProps.payment_processing, ...byDebit });
    expect(processing.text).toMatch(/Payment method: +Bank debit/);
    const notice = renderEmail('order_notice', { ...sampleProps.order_notice, ...byDebit });
    expect(notice.text).toContain('Bank debit (Stripe)');
    const refund = { ...sampleProps.refund_notice, paymentMethod: 'stripe', ...byDebit } as const;
    expect(renderEmail('refund_notice', refund).text).toContain('back the way you paid');
    const failed = renderEmail('payment_failed', { ...sampleProps.payment_failed, ...byDebit });
    expect(failed.text).toContain('also by card or PayPal');
  });

  it('says what happens next in three steps', () => {
    const { text } = renderEmail('order_confirmation', sampleProps.order_confirmation);
    expect(text).toContain('What Happens Next?');
    expect(text).toMatch(
      /1\. Confirmation.*\n2\. .*within 1-2 business days.*consultation.*\n3\. Project kickoff.*regular/,
    );
  });

  it.each(serviceSlugs)('names the follow-up support of %s', (slug) => {
    const { name, supportDays, price } = serviceBySlug(slug);
    const { text, html } = renderEmail('order_confirmation', {
      ...sampleProps.order_confirmation,
      serviceName: name,
      amount: price,
      supportDays,
    });
    expect(text).toMatch(new RegExp(`Follow-up support: +${supportDays} days`));
    expect(html).toContain(`${supportDays} days, included`);
  });
});

describe('the payment failed mail', () => {
  it('says why, that nothing was charged, and where to try again', () => {
    const { text } = renderEmail('payment_failed', sampleProps.payment_failed);
    expect(text).toContain('Your card has insufficient funds.');
    expect(text).not.toContain('Try a different card');
    expect(text).toContain('nothing was charged');
    expect(text).toContain(`Try again:\n${sampleProps.payment_failed.retryUrl}`);
  });
});

describe('the refund notice', () => {
  const props = sampleProps.refund_notice;

  it('names this refund and all of them when part of the amount is refunded', () => {
    const { subject, text } = renderEmail('refund_notice', props);
    expect(subject).toBe('We refunded $1,000.00 of your Optimization Consulting order');
    expect(text).toContain('Banks take 5-10 days to show it.');
    expect(text).toMatch(
      /Refunded earlier +-\$500\.00\nThis refund +-\$1,000\.00\n-+\nPaid after refunds \(USD\) +\$2,499\.00/,
    );
  });

  it('counts from what was paid, if staff accepted less than the price', () => {
    const { subject, text } = renderEmail('refund_notice', {
      ...props,
      ...{ paidAmount: 100_000, refundAmount: 100_000, totalRefunded: 100_000 },
    });
    expect(subject).toBe('Your Optimization Consulting order is refunded in full');
    expect(text).toMatch(/You paid +\$1,000\.00/);
    expect(text).toMatch(/Paid after refunds \(USD\) +\$0\.00/);
  });

  it('announces a full refund when nothing is left', () => {
    const { subject, text } = renderEmail('refund_notice', {
      ...props,
      refundAmount: props.amount,
      totalRefunded: props.amount,
    });
    expect(subject).toBe('Your Optimization Consulting order is refunded in full');
    expect(text).not.toContain('Refunded earlier');
    expect(text).toMatch(/Paid after refunds \(USD\) +\$0\.00/);
  });
});

describe('the mails to buyers about problems', () => {
  it('ask not to pay again while a payment is being processed', () => {
    const { text } = renderEmail('payment_processing', sampleProps.payment_processing);
    expect(text).toContain('can take several business days. Please do not pay again.');
    expect(text).toContain('You will get a receipt when the payment is complete.');
  });

  it('promise to arrange another way when a refund came back', () => {
    const { subject, text } = renderEmail('refund_failed', sampleProps.refund_failed);
    expect(subject).toBe('Your refund of $1,000.00 did not go through');
    expect(text).toContain('we will contact you within 24 hours to agree on another way');
  });

  it('say that the second payment pays for the order, and that it is no new charge', () => {
    const { subject, text } = renderEmail('payment_kept', {
      ...sampleProps.payment_kept,
      paymentMethod: 'paypal',
      keptAmount: 100_000,
    });
    expect(subject).toBe('Your Database Audit order goes ahead');
    expect(text).toContain('One of them went back to you.');
    expect(text).toContain('The other one, of $1,000.00, now pays for the order.');
    expect(text).toContain('This is not a new charge');
    expect(text).toMatch(/Payment method: +PayPal/);
    expect(text).not.toMatch(/receipt/i);
  });

  it('say how a dispute ended and who decided it', () => {
    const props = sampleProps.dispute_closed;
    const lost = renderEmail('dispute_closed', props);
    expect(lost.subject).toBe('Your dispute is closed: $2,999.00 goes back to you');
    expect(lost.text).toContain('closed your dispute in your favor and returns $2,999.00 to you');
    expect(lost.text).toMatch(/Returned: +\$2,999\.00/);
    const won = renderEmail('dispute_closed', { ...props, state: 'won', provider: 'paypal' });
    expect(won.subject).toBe('Your dispute is closed: the payment stands');
    expect(won.text).toContain('PayPal closed your dispute of $2,999.00 without a refund.');
  });

  it('do not call a debit that the bank returned a decision for the buyer', () => {
    const props = { ...sampleProps.dispute_closed, isReturnedDebit: true };
    const { subject, text } = renderEmail('dispute_closed', props);
    expect(subject).toBe('Your bank returned the payment of $2,999.00');
    expect(text).toContain('the payment failed after all');
    expect(subject + text).not.toMatch(/disput|in your favor|goes back|refund/i);
  });

  it('offer a new order when one was canceled', () => {
    const { text } = renderEmail('order_canceled', sampleProps.order_canceled);
    expect(text).toContain('You owe nothing');
    expect(text).toContain(`Order again:\n${sampleProps.order_canceled.retryUrl}`);
  });
});

describe('the alerts to staff', () => {
  it('say what to do about a refund that failed, and about one that could not be made', () => {
    const props = sampleProps.refund_failed_alert;
    const failed = renderEmail('refund_failed_alert', props);
    expect(failed.subject).toBe('Refund failed: $1,000.00, Maya Lindqvist');
    expect(failed.text).toMatch(/Reason: +expired or canceled card/);
    expect(failed.text).toContain('2. Write to Maya Lindqvist. Agree on another way');
    expect(failed.text).toContain('we contact them within 24 hours');
    expect(renderEmail('refund_failed', sampleProps.refund_failed).text).toContain('within 24 hours');
    const notMade = renderEmail('refund_failed_alert', { ...props, refundId: null });
    expect(notMade.subject).toBe('Refund not made: $1,000.00, Maya Lindqvist');
    expect(notMade.text).toContain('2. Refund it there.');
    expect(notMade.text).toContain(
      '3. Discard the failed job. If someone runs it again, it could refund a second time.',
    );
    expect(notMade.text).toContain(`Discard the job at the desk:\n${props.deskUrl}\n`);
    const byCommand = renderEmail('refund_failed_alert', { ...props, refundId: null, deskUrl: null });
    expect(byCommand.text).toContain('    node dist/ops/main.js jobs failed\n');
    expect(byCommand.text).toContain('    node dist/ops/main.js jobs discard ID --reason TEXT\n');
  });

  it.each([
    [
      'not_duplicate',
      'no other payment holds money for the order',
      '3. Decide. If a dispute of the first one is open, wait for its outcome. Keep this one at the desk if',
    ],
    [
      'refunded_elsewhere',
      'was not known when this one was requested',
      '3. Ask for a new refund if one is still owed.',
    ],
  ] as const)('blame no provider for a refund that we did not make: %s', (why, what, then) => {
    const props = { ...sampleProps.refund_failed_alert, refundId: null, why };
    const { subject, text } = renderEmail('refund_failed_alert', props);
    expect(subject).toBe('Refund not made: $1,000.00, Maya Lindqvist');
    expect(text).toContain(what);
    expect(text).toContain(then);
    expect(text).toContain('2. Discard the failed job.');
    expect(text).not.toMatch(/refus|still with us|Refund it there|has not received/);
  });

  it('do not say that a refund was not made if that is unknown', () => {
    const props = { ...sampleProps.refund_failed_alert, refundId: null, why: 'unknown' } as const;
    const { subject, text } = renderEmail('refund_failed_alert', props);
    expect(subject).toBe('Refund not confirmed: $1,000.00, Maya Lindqvist');
    expect(text).toContain('It may have been made, or may be made later.');
    expect(text).toContain('1. Look in Stripe’s dashboard.');
    expect(text).not.toMatch(/refus|still with us|Refund it there|not made:|has not received/);
    const byCommand = renderEmail('refund_failed_alert', { ...props, deskUrl: null });
    expect(byCommand.text).toContain('    node dist/ops/main.js jobs retry ID\n');
  });

  it('repeat what an order under review promises its client', () => {
    const promise = 'within 24 hours';
    const held = { amount: 299_900, amountRefunded: 0, moneyTaken: 'held', debitReturned: false } as const;
    const method = { failureReason: null, paymentMethod: 'stripe', methodType: null } as const;
    expect(statusText({ status: 'review', ...held, ...method }).text).toContain(promise);
    expect(renderEmail('review_alert', sampleProps.review_alert).text).toContain(promise);
    const reminder = { topic: 'orders_in_review', count: 1, since: 0 } as const;
    expect(
      renderEmail('staff_reminder', { ...sampleProps.staff_reminder, concern: reminder }).text,
    ).toContain(promise);
  });

  it('name the command that keeps a second payment where there is no desk, but not for other refunds', () => {
    const props = { ...sampleProps.refund_failed_alert, refundId: null, deskUrl: null };
    const { orderId, providerPaymentId } = props;
    const command = `node dist/ops/main.js order keep-payment ${orderId} ${providerPaymentId} --reason TEXT\n`;
    const textOf = (why: 'refused' | 'not_duplicate') =>
      renderEmail('refund_failed_alert', { ...props, why }).text;
    expect(textOf('not_duplicate')).toContain(command);
    expect(textOf('refused')).not.toContain('keep-payment');
  });

  it('remind of the evidence deadline with a link to the dispute', () => {
    const props = sampleProps.dispute_reminder;
    const { subject, text } = renderEmail('dispute_reminder', props);
    expect(subject).toBe('Evidence due December 3, 2026: dispute of $2,999.00, Maya Lindqvist');
    expect(text).toContain(`Open it in Stripe:\n${props.dashboardUrl}`);
  });

  it('ask to cancel a former payment that is still open', () => {
    const props = sampleProps.payment_end_failed_alert;
    const { text } = renderEmail('payment_end_failed_alert', props);
    expect(text).toMatch(/Former payment: +pi_3QK2mA9ZvKYlo2C1x8Wd4RtB/);
    expect(text).toContain('still open at Stripe. Please cancel it there.');
  });

  it('advise differently on a fraud warning and on a review', () => {
    const props = sampleProps.fraud_warning_alert;
    expect(renderEmail('fraud_warning_alert', props).text).toContain('avoids the dispute and its fee');
    const review = renderEmail('fraud_warning_alert', { ...props, warning: 'review' });
    expect(review.text).toContain('Stripe asks us to review this payment.');
  });

  it('name the amount of a failed payout and its reason', () => {
    const { subject, text } = renderEmail('payout_failed_alert', sampleProps.payout_failed_alert);
    expect(subject).toBe('Payout failed: $12,495.50 USD from Stripe');
    expect(text).toMatch(/Reason: +account closed/);
  });

  it('lead to the desk if there is one, and otherwise name the commands', () => {
    const { job_dead_alert: dead, review_alert: review, staff_reminder: reminder } = sampleProps;
    const today = 'https://querywright.example/api/login?returnTo=%2Fdesk';
    expect(renderEmail('job_dead_alert', dead).text).toContain(`Open the job at the desk:\n${today}\n`);
    expect(renderEmail('staff_reminder', reminder).text).toContain(`See it at the desk:\n${today}\n`);
    const order = `${today}%2Forders%2F${review.orderId}`;
    expect(renderEmail('review_alert', review).text).toContain(`Decide at the desk:\n${order}\n`);
    const command = 'node dist/ops/main.js ';
    for (const kind of ['job_dead_alert', 'review_alert', 'order_notice'] as const) {
      expect(renderEmail(kind, sampleProps[kind]).text).not.toContain(command);
      const { text } = renderEmail(kind, { ...sampleProps[kind], deskUrl: null });
      expect(text).toContain(command);
      expect(text).not.toContain('desk');
    }
  });

  it('name the command of a reminder that the desk cannot resolve, or without a desk', () => {
    const commandsOf = (concern: Concern, deskUrl: string | null) => {
      const { text } = renderEmail('staff_reminder', { ...sampleProps.staff_reminder, concern, deskUrl });
      return [...text.matchAll(/node dist\/ops\/main\.js (.+)/g)].map(([, command]) => command);
    };
    const desk = sampleProps.staff_reminder.deskUrl;
    const silent: Concern = { topic: 'webhooks_silent', count: 4, provider: 'stripe' };
    const dead: Concern = { topic: 'jobs_dead', count: 1, since: 0 };
    expect([commandsOf(silent, desk), commandsOf(silent, null)]).toEqual([
      ['webhooks check'],
      ['webhooks check'],
    ]);
    expect([commandsOf(dead, desk), commandsOf(dead, null)]).toEqual([[], ['jobs failed']]);
  });

  it('name the commands for a dead job', () => {
    const props = { ...sampleProps.job_dead_alert, deskUrl: null };
    const { text } = renderEmail('job_dead_alert', props);
    expect(text).toContain('    node dist/ops/main.js jobs failed\n');
    expect(text).toContain('    node dist/ops/main.js jobs retry 48213\n');
    const known = renderEmail('job_dead_alert', { ...props, orderId: 'an-order' });
    expect(known.text).toContain('    node dist/ops/main.js order show an-order\n');
  });
});

describe('the mails to staff', () => {
  it('name buyer, amount, method and payment of a new order', () => {
    const { subject, text } = renderEmail('order_notice', sampleProps.order_notice);
    expect(subject).toBe('New order: Database Audit, $2,999.00, Maya Lindqvist');
    for (const fact of [
      'maya.lindqvist@northfreight.example',
      'Card (Stripe)',
      'pi_3QK2mA9ZvKYlo2C1x8Wd4RtB',
    ]) {
      expect(text).toContain(fact);
    }
  });

  it('name the evidence deadline of a dispute, and its outcome', () => {
    const opened = renderEmail('dispute_notice', sampleProps.dispute_notice);
    expect(opened.subject).toBe('Dispute opened: Database Audit, $2,999.00, answer by December 3, 2026');
    const lost = renderEmail('dispute_notice', { ...sampleProps.dispute_notice, state: 'lost' });
    expect(lost.subject).toBe('Dispute lost: Database Audit, $2,999.00');
    expect(lost.text).toContain('$2,999.00 went back to Maya Lindqvist.');
    expect(lost.text).toMatch(/Returned: +\$2,999\.00/);
    const won = renderEmail('dispute_notice', { ...sampleProps.dispute_notice, state: 'won' });
    expect(won.text).toContain('$2,999.00 stays with us.');
    const closed = renderEmail('dispute_notice', {
      ...sampleProps.dispute_notice,
      state: 'won',
      byRefund: true,
    });
    expect(closed.subject).toBe('Dispute closed: Database Audit, $2,999.00');
    expect(closed.text).toContain('because the payment was refunded');
    const paidOut = renderEmail('dispute_notice', {
      ...sampleProps.dispute_notice,
      ...{ provider: 'paypal', state: 'won', byPayout: true },
    });
    expect(paidOut.subject).toBe('Dispute closed: Database Audit, $2,999.00');
    expect(paidOut.text).toContain(
      'PayPal closed the dispute of $2,999.00, and may have paid Maya Lindqvist',
    );
    expect(paidOut.text).not.toContain('decided');
    const inquiry = renderEmail('dispute_notice', { ...sampleProps.dispute_notice, isRefundable: true });
    expect(inquiry.text).toContain('Maya Lindqvist’s bank asks about the payment of $2,999.00. Answer in');
    expect(inquiry.text).toContain('or refund the payment in full, which ends the dispute');
    const atPaypal = { ...sampleProps.dispute_notice, provider: 'paypal', isRefundable: true } as const;
    expect(renderEmail('dispute_notice', atPaypal).text).toContain(
      'Maya Lindqvist disputes $2,999.00. Answer in the PayPal dashboard, or refund the payment in full',
    );
  });

  it.each(['opened', 'lost'] as const)('ask for no evidence about a debit that was returned: %s', (state) => {
    const returned = {
      state,
      isReturnedDebit: true,
      disputeReason: 'insufficient_funds',
      evidenceDueAt: null,
    };
    const { subject, text } = renderEmail('dispute_notice', { ...sampleProps.dispute_notice, ...returned });
    expect(subject).toBe('Debit returned: Database Audit, $2,999.00');
    expect(text).toContain('Maya Lindqvist’s bank returned the debit of $2,999.00');
    expect(text).toMatch(/Reason: +insufficient funds/);
    expect(text).not.toMatch(/submit evidence|evidence due|decided|went back to|Lindqvist disputes/i);
  });

  it('ask for no evidence for a dispute that cannot be contested', () => {
    const params = { isUncontestable: true, evidenceDueAt: null };
    const { subject, text } = renderEmail('dispute_notice', { ...sampleProps.dispute_notice, ...params });
    expect(subject).toBe('Dispute opened: Database Audit, $2,999.00');
    expect(text).toContain('Maya Lindqvist disputes $2,999.00. The bank accepts no evidence');
    expect(text).not.toMatch(/submit evidence|evidence due/i);
  });

  it('report a payment of which more went back than it took, with what to do', () => {
    const { subject, text } = renderEmail('double_credit_alert', sampleProps.double_credit_alert);
    expect(subject).toBe('Credited twice? $2,999.00 too much, Maya Lindqvist');
    expect(text).toMatch(/Taken: +\$2,999\.00/);
    expect(text).toMatch(/Went back: +\$5,998\.00/);
    expect(text).toContain('2. Write to Maya Lindqvist.');
  });

  it('compare the expected with the received amount, currency included', () => {
    const { subject, text } = renderEmail('review_alert', sampleProps.review_alert);
    expect(subject).toBe('Order needs review: expected $2,999.00 USD, received 2,999.00 EUR');
    expect(text).toMatch(/Payment: +pi_3QK2mA9ZvKYlo2C1x8Wd4RtB/);
    const silent = renderEmail('review_alert', { ...sampleProps.review_alert, receivedAmount: null });
    expect(silent.subject).toContain('received not stated');
  });

  it('ask for a refund, and for no decision, if another payment pays the order', () => {
    const { subject, text } = renderEmail('review_alert', { ...sampleProps.review_alert, isExtra: true });
    expect(subject).toBe('Extra payment of 2,999.00 EUR for a paid order');
    expect(text).toContain('all of this one is owed to the client');
    expect(text).not.toMatch(/decide/i);
  });

  it('name both payments of an order that was paid twice', () => {
    const { text } = renderEmail('duplicate_payment_alert', sampleProps.duplicate_payment_alert);
    expect(text).toMatch(/First payment: +pi_3QK2mA9ZvKYlo2C1x8Wd4RtB/);
    expect(text).toMatch(/Second payment: +8MC585209K746392H/);
    expect(text).toMatch(/Second amount: +\$2,999\.00 USD, PayPal/);
  });

  it('show the business information of an enrollment, also without compliance needs', () => {
    const props = { ...sampleProps.enrollment_notice, complianceNeeds: null };
    const { subject, text } = renderEmail('enrollment_notice', props);
    expect(subject).toBe('Enrollment completed: Helix Ledger, 51-200 employees');
    expect(text).toContain(props.primaryUseCase);
    expect(text).toMatch(/Compliance needs\n-+\n\nNone given\./);
  });
});

describe('the mails to visitors', () => {
  it('repeat the 24-hour promise to the sender of a message', () => {
    const { html, text } = renderEmail('contact_acknowledgement', sampleProps.contact_acknowledgement);
    expect(text).toContain("We'll get back to you within 24 hours.");
    expect(html).toContain('We&#x27;ll get back to you within 24 hours.');
  });

  it('say how long the confirmation link works', () => {
    const { text } = renderEmail('newsletter_confirmation', {
      ...sampleProps.newsletter_confirmation,
      validHours: 24,
    });
    expect(text).toContain('The link works for 24 hours.');
    expect(text).toContain(`Confirm subscription:\n${sampleProps.newsletter_confirmation.confirmUrl}`);
  });

  it('show how to unsubscribe from the newsletter', () => {
    const { html, text } = renderEmail('newsletter_welcome', sampleProps.newsletter_welcome);
    expect(text).toContain(`Unsubscribe: ${sampleProps.newsletter_welcome.unsubscribeUrl}`);
    expect(html).toContain('>Unsubscribe</a>');
  });
});

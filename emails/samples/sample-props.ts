import { deskPages } from '../../core/desk-paths.ts';
import { newsletterConfirmFor, newsletterUnsubscribeFor } from '../../core/paths.ts';
import type { EmailProps } from '../props/email-props.ts';
import { buyerSamples } from './buyer.ts';
import { deskUrlOf, site } from './order.ts';
import { staffSamples } from './staff.ts';

/** Sample data for every kind, for the preview page and the tests. */
export const sampleProps: EmailProps = {
  ...buyerSamples,
  ...staffSamples,
  contact_notice: {
    ...site,
    deskUrl: deskUrlOf(deskPages.people),
    messageId: '2b9a6f04-1d7c-4f38-9c55-e0a7d6b81f42',
    name: 'Jonas Okafor',
    email: 'jonas.okafor@tallyworks.example',
    message: [
      'Hello,',
      '',
      'our nightly invoice run on PostgreSQL 15 went from 40 minutes to 6 hours since we passed 900 million rows:',
      '',
      '    Seq Scan on invoices  (rows=912004113)',
      '      Filter: (status = ANY (...) AND due_on < now())',
      '',
      'Two indexes exist, neither is used. Would the audit fit, or the optimization?',
      '',
      'Jonas',
    ].join('\n'),
    receivedAt: '2026-11-12T08:20:00Z',
  },
  contact_acknowledgement: { ...site, name: 'Jonas Okafor', receivedAt: '2026-11-12T08:20:00Z' },
  newsletter_confirmation: {
    ...site,
    confirmUrl: `${site.siteUrl}${newsletterConfirmFor('eyJhbGciOiJIUzI1NiJ9.bmV3c2xldHRlcjpjb25maXJt.q3k0Xc9f8hVZ2w')}`,
    validHours: 48,
  },
  newsletter_welcome: {
    ...site,
    unsubscribeUrl: `${site.siteUrl}${newsletterUnsubscribeFor('eyJhbGciOiJIUzI1NiJ9.bmV3c2xldHRlcjp1bnN1Yg.Zp41sLw0')}`,
  },
  enrollment_notice: {
    ...site,
    deskUrl: deskUrlOf(deskPages.people),
    userId: 'c41f7e90-63ab-4c0e-b1d2-97f05a3e6d18',
    email: 'priya.raman@helixledger.example',
    personName: 'Priya Raman',
    companyName: 'Helix Ledger',
    role: 'VP of Engineering',
    phone: '+1 415 555 0142',
    primaryUseCase:
      'Move a 3 TB MySQL 5.7 ledger to PostgreSQL without downtime.\nReplica lag already reaches 90 seconds at month end.',
    teamSize: '51-200',
    complianceNeeds: 'SOC 2 Type II, PCI DSS',
    completedAt: '2026-11-12T19:05:00Z',
  },
};

import type { SiteProps } from './order.ts';

export interface ContactNoticeProps extends SiteProps {
  messageId: string;
  name: string;
  email: string;
  message: string;
  receivedAt: string;
}

/** Leaves out the message: anyone can enter a stranger's address, and we do not relay text to strangers. */
export interface ContactAcknowledgementProps extends SiteProps {
  name: string;
  receivedAt: string;
}

export interface NewsletterConfirmationProps extends SiteProps {
  confirmUrl: string;
  validHours: number;
}

export interface NewsletterWelcomeProps extends SiteProps {
  unsubscribeUrl: string;
}

export interface EnrollmentNoticeProps extends SiteProps {
  userId: string;
  email: string | null;
  personName: string | null;
  companyName: string;
  role: string;
  phone: string;
  primaryUseCase: string;
  teamSize: string;
  complianceNeeds: string | null;
  completedAt: string;
}

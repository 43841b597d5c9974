import { currentUser } from '../../core/account.ts';
import { contactRequest } from '../../core/contact.ts';
import { enrollmentForm, enrollmentSaved, enrollmentView } from '../../core/enrollment.ts';
import { liveness, readinessReport } from '../../core/health.ts';
import { acknowledgement, errorBody, webhookReceived } from '../../core/http.ts';
import { subscribeRequest, tokenRequest } from '../../core/newsletter.ts';
import * as orders from '../../core/orders.ts';
import { serviceView } from '../../core/services.ts';
import { sessionList } from '../../core/sessions.ts';
import { siteConfig } from '../../core/site-config.ts';

/** Names under which the document lists the contracts. Any other schema is written where it is used. */
export const requestSchemas = {
  OrderRequest: orders.orderRequest,
  ConfirmPaymentRequest: orders.confirmPaymentRequest,
  PaypalOrderRequest: orders.paypalOrderRequest,
  ConfirmPaypalPaymentRequest: orders.confirmPaypalPaymentRequest,
  ContactRequest: contactRequest,
  SubscribeRequest: subscribeRequest,
  TokenRequest: tokenRequest,
  EnrollmentForm: enrollmentForm,
};

export const answerSchemas = {
  Service: serviceView,
  SiteConfig: siteConfig,
  PaymentIntentCreated: orders.paymentIntentCreated,
  PaypalOrderCreated: orders.paypalOrderCreated,
  PaypalSetup: orders.paypalSetup,
  PaypalPaymentCreated: orders.paypalPaymentCreated,
  PaypalCaptured: orders.paypalCaptured,
  PaymentConfirmed: orders.paymentConfirmed,
  Order: orders.orderView,
  OrderStatusEvent: orders.orderStatusEvent,
  WebhookReceived: webhookReceived,
  Acknowledgement: acknowledgement,
  CurrentUser: currentUser,
  SessionList: sessionList,
  Enrollment: enrollmentView,
  EnrollmentSaved: enrollmentSaved,
  Liveness: liveness,
  Readiness: readinessReport,
  Error: errorBody,
};

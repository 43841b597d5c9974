export const messages = {
  stripeUnavailable:
    'Stripe is currently unavailable. Please select PayPal or contact us for alternative payment methods.',
  paypalUnavailable: 'PayPal is currently unavailable. Please pay by card, or try again in a minute.',
  paypalOrderFailed: 'Failed to create PayPal order',
  paymentIntentFailed: 'Failed to create payment',
  alreadySubscribed: 'This email is already subscribed.',
  unavailable: 'We cannot reach our own systems at the moment. Please try again in a minute.',
} as const;

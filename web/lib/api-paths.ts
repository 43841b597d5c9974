export const api = {
  currentUser: '/api/auth/user',
  login: '/api/login',
  logout: '/api/logout',
  account: '/api/account',
  sessions: '/api/account/sessions',
  signOutEverywhere: '/api/account/sign-out',
  config: '/api/config',
  services: '/api/services',
  contact: '/api/contact',
  subscribe: '/api/newsletter/subscribe',
  confirmSubscription: '/api/newsletter/confirm',
  unsubscribe: '/api/newsletter/unsubscribe',
  createPaymentIntent: '/api/create-payment-intent',
  confirmPayment: '/api/confirm-payment',
  createPaypalOrder: '/api/create-paypal-order',
  paypalSetup: '/api/paypal/setup',
  paypalOrder: '/api/paypal/order',
  confirmPaypalPayment: '/api/confirm-paypal-payment',
  orders: '/api/orders',
  enrollment: '/api/enrollment',
} as const;

export const paypalCapturePath = (paypalOrderId: string) =>
  `${api.paypalOrder}/${encodeURIComponent(paypalOrderId)}/capture`;
export const endSessionPath = (sessionId: string) =>
  `${api.sessions}/${encodeURIComponent(sessionId)}/sign-out`;
export const orderPaymentPath = (orderId: string) => `${api.orders}/${encodeURIComponent(orderId)}/payment`;
export const orderEventsPath = (orderId: string) => `${api.orders}/${encodeURIComponent(orderId)}/events`;

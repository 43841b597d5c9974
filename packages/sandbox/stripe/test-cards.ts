export interface Decline {
  code: string;
  declineCode: string;
  message: string;
}

/** A test payment method, with the behavior that Stripe documents. */
export interface TestMethod {
  ids: string[];
  type: 'card' | 'us_bank_account';
  number: string;
  brand: string;
  /** The bank requires 3-D Secure. */
  authenticate?: true;
  decline?: Decline;
  /** The payment is disputed as soon as it has succeeded. */
  dispute?: 'chargeback' | 'inquiry';
}

const declined: Decline = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
};
const noFunds: Decline = {
  code: 'card_declined',
  declineCode: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
};

export const testMethods: TestMethod[] = [
  { ids: ['pm_card_visa'], type: 'card', number: '4242424242424242', brand: 'visa' },
  { ids: ['pm_card_mastercard'], type: 'card', number: '5555555555554444', brand: 'mastercard' },
  {
    ids: ['pm_card_chargeDeclined', 'pm_card_visa_chargeDeclined'],
    type: 'card',
    number: '4000000000000002',
    brand: 'visa',
    decline: declined,
  },
  {
    ids: ['pm_card_chargeDeclinedInsufficientFunds', 'pm_card_visa_chargeDeclinedInsufficientFunds'],
    type: 'card',
    number: '4000000000009995',
    brand: 'visa',
    decline: noFunds,
  },
  {
    ids: ['pm_card_chargeDeclinedExpiredCard'],
    type: 'card',
    number: '4000000000000069',
    brand: 'visa',
    decline: { code: 'expired_card', declineCode: 'expired_card', message: 'Your card has expired.' },
  },
  {
    ids: ['pm_card_chargeDeclinedIncorrectCvc'],
    type: 'card',
    number: '4000000000000127',
    brand: 'visa',
    decline: {
      code: 'incorrect_cvc',
      declineCode: 'incorrect_cvc',
      message: "Your card's security code is incorrect.",
    },
  },
  {
    ids: ['pm_card_chargeDeclinedProcessingError'],
    type: 'card',
    number: '4000000000000119',
    brand: 'visa',
    decline: {
      code: 'processing_error',
      declineCode: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
  },
  {
    ids: ['pm_card_authenticationRequired', 'pm_card_authenticationRequiredOnSetup'],
    type: 'card',
    number: '4000002500003155',
    brand: 'visa',
    authenticate: true,
  },
  {
    ids: ['pm_card_threeDSecure2Required', 'pm_card_threeDSecureRequired'],
    type: 'card',
    number: '4000000000003220',
    brand: 'visa',
    authenticate: true,
  },
  {
    ids: ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds'],
    type: 'card',
    number: '4000008260003178',
    brand: 'visa',
    authenticate: true,
    decline: noFunds,
  },
  {
    ids: ['pm_card_createDispute'],
    type: 'card',
    number: '4000000000000259',
    brand: 'visa',
    dispute: 'chargeback',
  },
  {
    ids: ['pm_card_createDisputeInquiry'],
    type: 'card',
    number: '4000000000001976',
    brand: 'visa',
    dispute: 'inquiry',
  },
  // Stays `processing` until a control call settles it.
  {
    ids: ['pm_usBankAccount', 'pm_usBankAccount_success'],
    type: 'us_bank_account',
    number: '000123456789',
    brand: 'STRIPE TEST BANK',
  },
];

export function testMethodById(id: string): TestMethod | undefined {
  return testMethods.find((method) => method.ids.includes(id));
}

export function testCardByNumber(number: string): TestMethod | undefined {
  return testMethods.find((method) => method.type === 'card' && method.number === number);
}

/** The check digit of every card number (ISO/IEC 7812). */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let i = 0; i < number.length; i += 1) {
    const digit = Number(number[number.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return number.length >= 12 && sum % 10 === 0;
}

/** The pages behind the two links that the letter's mails carry; its sign-up is in the footer. */
export const newsletterConfirm = {
  ask: {
    title: 'Confirm your subscription',
    text: 'One click, and you will receive our letter: once a month, one slow query taken apart. You can leave at any time.',
    button: 'Confirm subscription',
    pending: 'Confirming...',
  },
  done: { title: 'You are on the list', text: 'Thank you. You will get the next letter.' },
} as const;

export const newsletterUnsubscribe = {
  ask: {
    title: 'Leave the newsletter?',
    text: 'One click, and we will not write to you again. Messages about orders that you place are not affected.',
    button: 'Unsubscribe',
    pending: 'Unsubscribing...',
  },
  done: {
    title: 'You have left the newsletter',
    text: 'We will not write to you again. You can come back at any time.',
  },
} as const;

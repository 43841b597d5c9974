// Validation of the card fields, with Stripe's codes and wording.

export function formatNumber(text) {
  return text
    .replaceAll(/\D/g, '')
    .slice(0, 19)
    .replaceAll(/(\d{4})(?=\d)/g, '$1 ');
}

export function cardBrandLength(text) {
  return /^3[47]/.test(text) ? 15 : 16;
}

export function formatExpiry(text, deleting) {
  let digits = text.replaceAll(/\D/g, '');
  // Autofill also writes 12/2030.
  if (/^\d{2}20\d{2}$/.test(digits)) digits = digits.slice(0, 2) + digits.slice(4);
  if (/^[2-9]/.test(digits)) digits = `0${digits}`;
  digits = digits.slice(0, 4);
  if (digits.length < 2 || (digits.length === 2 && deleting)) return digits;
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

export function fieldErrors({ number, expiry, cvc }, today = new Date()) {
  const errors = {};
  const digits = number.replaceAll(' ', '');
  if (digits.length < cardBrandLength(digits))
    errors.number = incomplete('number', 'Your card number is incomplete.');
  else if (!passesLuhn(digits))
    errors.number = { code: 'invalid_number', message: 'Your card number is invalid.' };
  const [month, year] = expiry.split('/').map((part) => Number(part.trim()));
  if (!/^\d{2} \/ \d{2}$/.test(expiry))
    errors.expiry = incomplete('expiry', "Your card's expiration date is incomplete.");
  else if (month < 1 || month > 12) {
    errors.expiry = { code: 'invalid_expiry_month', message: "Your card's expiration date is invalid." };
  } else if (new Date(2000 + year, month) <= today) {
    errors.expiry = {
      code: 'invalid_expiry_year_past',
      message: "Your card's expiration year is in the past.",
    };
  }
  if (!/^\d{3,4}$/.test(cvc)) errors.cvc = incomplete('cvc', "Your card's security code is incomplete.");
  return errors;
}

function incomplete(field, message) {
  return { code: `incomplete_${field}`, message };
}

function passesLuhn(digits) {
  let sum = 0;
  for (const [i, digit] of [...digits].reverse().entries()) {
    const value = i % 2 === 1 ? Number(digit) * 2 : Number(digit);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

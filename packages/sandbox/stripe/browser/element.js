// The card fields. The embedding page asks for a confirmation and receives the outcome only.
import { cardBrandLength, fieldErrors, formatExpiry, formatNumber } from './card-fields.js';

const parentOrigin = document.referrer ? new URL(document.referrer).origin : '*';
const form = document.querySelector('form');
const fields = Object.fromEntries(
  ['number', 'expiry', 'cvc', 'country', 'postal'].map((id) => [id, document.getElementById(id)]),
);
let publishableKey = '';
let wasComplete = false;

const postToPage = (message) => parent.postMessage({ sandboxStripe: true, ...message }, parentOrigin);

window.addEventListener('message', async (event) => {
  if (event.source !== parent || !event.data?.sandboxStripe) return;
  if (parentOrigin !== '*' && event.origin !== parentOrigin) return;
  const { kind, call, detail } = event.data;
  if (kind === 'setup') {
    publishableKey = event.data.publishableKey;
    wearAppearance(event.data.appearance);
    postToPage({ kind: 'ready' });
  } else if (kind === 'appearance') wearAppearance(event.data.appearance);
  else if (kind === 'submit')
    postToPage({ kind: 'answer', call, detail: showErrors() ?? { selectedPaymentMethod: 'card' } });
  else if (kind === 'confirm')
    postToPage({ kind: 'answer', call, detail: showErrors() ?? (await confirm(detail)) });
  else if (kind === 'focus') fields.number.focus();
  else if (kind === 'blur') document.activeElement?.blur();
  else if (kind === 'clear') form.reset();
});

fields.number.addEventListener('input', () => {
  fields.number.value = formatNumber(fields.number.value);
  if (fields.number.value.replaceAll(' ', '').length === cardBrandLength(fields.number.value))
    fields.expiry.focus();
});
fields.expiry.addEventListener('input', (event) => {
  fields.expiry.value = formatExpiry(fields.expiry.value, event.inputType === 'deleteContentBackward');
});
form.addEventListener('input', () => {
  const complete = Object.keys(errorsNow()).length === 0;
  for (const [id, field] of Object.entries(fields))
    if (field.ariaInvalid === 'true' && !errorsNow()[id]) showError(id, '');
  const empty = !fields.number.value && !fields.expiry.value && !fields.cvc.value;
  if (complete || wasComplete !== complete || empty)
    postToPage({ kind: 'change', detail: changeOf(complete, empty) });
  wasComplete = complete;
});
form.addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('focusin', () => postToPage({ kind: 'focus' }));
document.addEventListener('focusout', (event) => {
  if (!event.relatedTarget) postToPage({ kind: 'blur' });
  const { id, value } = event.target;
  if (value && fields[id]) showError(id, errorsNow()[id]?.message ?? '');
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') postToPage({ kind: 'escape' });
});
new ResizeObserver(() => {
  // Without a width every word has its own line, and the height is meaningless.
  if (form.offsetWidth > 0) postToPage({ kind: 'height', detail: form.offsetHeight + 8 });
}).observe(form);
postToPage({ kind: 'hello' });

function changeOf(complete, empty) {
  return { complete, empty, collapsed: false, value: { type: 'card' } };
}

function errorsNow() {
  return fieldErrors({ number: fields.number.value, expiry: fields.expiry.value, cvc: fields.cvc.value });
}

/** Marks every invalid field and returns the first error, if any. */
function showErrors() {
  const errors = errorsNow();
  for (const id of ['number', 'expiry', 'cvc']) showError(id, errors[id]?.message ?? '');
  const [first] = Object.keys(errors);
  if (!first) return undefined;
  fields[first].focus();
  return { error: { type: 'validation_error', ...errors[first] } };
}

function showError(id, message) {
  const place = document.getElementById(`${id}-error`);
  if (!place) return;
  place.textContent = message;
  fields[id].ariaInvalid = message ? 'true' : 'false';
}

async function confirm({ intentId, clientSecret, confirmParams }) {
  try {
    const billing = confirmParams.payment_method_data?.billing_details ?? {};
    const [month, year] = fields.expiry.value.split('/').map((part) => part.trim());
    const method = await call('/payment_methods', {
      type: 'card',
      'card[number]': fields.number.value.replaceAll(' ', ''),
      'card[exp_month]': month,
      'card[exp_year]': year,
      'card[cvc]': fields.cvc.value,
      'billing_details[name]': billing.name,
      'billing_details[email]': billing.email,
      'billing_details[address][country]': fields.country.value,
      'billing_details[address][postal_code]': fields.postal.value,
    });
    const intent = await call(`/payment_intents/${intentId}/confirm`, {
      client_secret: clientSecret,
      payment_method: method.id,
      return_url: confirmParams.return_url,
      receipt_email: confirmParams.receipt_email,
    });
    return { paymentIntent: intent };
  } catch (error) {
    if (error.stripeError) return { error: error.stripeError };
    const message = 'An error occurred with our connection to Stripe. Please try again.';
    return { error: { type: 'api_connection_error', message } };
  }
}

async function call(path, form) {
  const body = new URLSearchParams({ key: publishableKey });
  for (const [name, value] of Object.entries(form)) if (value) body.set(name, value);
  const response = await fetch(`/stripe/v1${path}`, { method: 'POST', body });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.error.message), { stripeError: answer.error });
  return answer;
}

/** The appearance variables that these fields use. */
function wearAppearance({ theme, variables = {} } = {}) {
  const root = document.documentElement.style;
  root.cssText = '';
  if (theme === 'night') {
    root.setProperty('--text', '#fbfaf7');
    root.setProperty('--muted', '#9aa5bd');
    root.setProperty('--ground', '#161e31');
    root.setProperty('--line', '#2c3650');
    root.setProperty('--accent', '#8ea6ff');
    root.setProperty('--danger', '#ff8f88');
  }
  const names = {
    colorText: '--text',
    colorTextPlaceholder: '--muted',
    colorBackground: '--ground',
    colorPrimary: '--accent',
    colorDanger: '--danger',
    borderRadius: '--radius',
    fontFamily: '--font',
    fontSizeBase: '--size',
  };
  for (const [name, property] of Object.entries(names)) {
    if (variables[name]) root.setProperty(property, variables[name]);
  }
}

// A stand-in for Stripe.js: the same API, with the card fields in a frame from this server.
(() => {
  const ORIGIN = new URL(document.currentScript.src).origin;
  const SECRET = /^(pi_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+$/;
  const API_FAILED = {
    error: { type: 'api_connection_error', message: 'We could not reach the payment provider.' },
  };

  function Stripe(publishableKey, options) {
    if (typeof publishableKey !== 'string' || !publishableKey.startsWith('pk_')) {
      throw new Error('Please call Stripe() with your publishable key. You used an empty string.');
    }
    const stripe = {
      _apiKey: publishableKey,
      _options: options,
      _registerWrapper() {},
      registerAppInfo() {},
      elements: (settings) => createElements(publishableKey, settings),
      confirmPayment: (request) => confirmPayment(publishableKey, request),
      retrievePaymentIntent: (clientSecret) => retrievePaymentIntent(publishableKey, clientSecret),
      handleNextAction: ({ clientSecret }) => handleNextAction(publishableKey, clientSecret),
    };
    for (const name of ['createToken', 'createPaymentMethod', 'confirmCardPayment', 'confirmSetup']) {
      stripe[name] = () =>
        Promise.reject(new Error(`${name} is not part of the sandbox: use confirmPayment.`));
    }
    return stripe;
  }
  Stripe.version = 'sandbox';

  function createElements(publishableKey, settings = {}) {
    const current = { locale: 'en', ...settings };
    let element = null;
    return {
      _settings: current,
      create(type, options) {
        if (type !== 'payment')
          throw new Error(`The sandbox has no element of type ${type}, only 'payment'.`);
        if (element !== null) throw new Error(`Can only create one Element of type ${type}.`);
        element = createPaymentElement(publishableKey, current, options, () => {
          element = null;
        });
        return element;
      },
      getElement: (type) => (type === 'payment' || type?.__elementType === 'payment' ? element : null),
      update(changes) {
        Object.assign(current, changes);
        element?._wear(current.appearance);
      },
      fetchUpdates: () => Promise.resolve({}),
      submit: async () => (element === null ? noElement() : element._ask('submit')),
    };
  }

  function createPaymentElement(publishableKey, settings, options = {}, forget) {
    const listeners = new Map();
    const waiting = new Map();
    let nextCall = 1;
    let frame = null;
    let ready = false;

    const emit = (event, detail) => {
      for (const listener of listeners.get(event) ?? []) listener(detail);
    };
    const post = (message) => frame?.contentWindow?.postMessage({ sandboxStripe: true, ...message }, ORIGIN);

    function receive(event) {
      if (event.origin !== ORIGIN || event.source !== frame?.contentWindow || !event.data?.sandboxStripe)
        return;
      const { kind, call, detail } = event.data;
      if (kind === 'hello') post({ kind: 'setup', publishableKey, appearance: settings.appearance, options });
      else if (kind === 'height') frame.style.height = `${Number(detail)}px`;
      else if (kind === 'ready') {
        ready = true;
        emit('ready', element);
      } else if (kind === 'answer') {
        waiting.get(call)?.(detail);
        waiting.delete(call);
      } else if (['change', 'focus', 'blur', 'escape'].includes(kind))
        emit(kind, { elementType: 'payment', ...detail });
    }

    function unmount() {
      window.removeEventListener('message', receive);
      frame?.remove();
      frame = null;
      ready = false;
      for (const answer of waiting.values()) answer(noElement());
      waiting.clear();
    }

    const element = {
      _elementType: 'payment',
      _wear: (appearance) => post({ kind: 'appearance', appearance }),
      _ask(kind, detail) {
        if (!ready) return Promise.resolve(noElement());
        const call = nextCall++;
        return new Promise((resolve) => {
          waiting.set(call, resolve);
          post({ kind, call, detail });
        });
      },
      mount(target) {
        const place = typeof target === 'string' ? document.querySelector(target) : target;
        if (!place)
          throw new Error(
            'The selector you specified applies to no DOM elements that are currently on the page.',
          );
        if (frame?.parentNode === place) return;
        unmount();
        frame = document.createElement('iframe');
        frame.title = 'Secure payment input frame';
        frame.src = `${ORIGIN}/stripe/v3/element.html`;
        frame.allow = 'payment *';
        frame.referrerPolicy = 'origin';
        Object.assign(frame.style, { border: '0', width: '100%', height: '228px', display: 'block' });
        // As in Stripe's own frames: browsers paint white behind a frame whose color scheme differs from its page's.
        frame.style.colorScheme = 'light only';
        window.addEventListener('message', receive);
        place.replaceChildren(frame);
        emit('loaderstart', { elementType: 'payment' });
      },
      unmount,
      destroy() {
        unmount();
        forget();
      },
      update: (changes) => {
        Object.assign(options, changes);
        post({ kind: 'update', options: changes });
      },
      on(event, listener) {
        listeners.set(event, [...(listeners.get(event) ?? []), listener]);
        if (event === 'ready' && ready) listener(element);
        return element;
      },
      once(event, listener) {
        const first = (detail) => {
          element.off(event, first);
          listener(detail);
        };
        return element.on(event, first);
      },
      off(event, listener) {
        listeners.set(
          event,
          listener ? (listeners.get(event) ?? []).filter((known) => known !== listener) : [],
        );
        return element;
      },
      focus: () => post({ kind: 'focus' }),
      blur: () => post({ kind: 'blur' }),
      clear: () => post({ kind: 'clear' }),
      collapse() {},
    };
    return element;
  }

  async function confirmPayment(
    publishableKey,
    { elements, clientSecret, confirmParams = {}, redirect = 'always' },
  ) {
    const secret = clientSecret ?? elements?._settings.clientSecret;
    const intentId = SECRET.exec(secret ?? '')?.[1];
    if (!intentId)
      throw new Error(
        'Missing value for stripe.confirmPayment intent secret: value should be a client_secret string.',
      );
    const returnUrl = confirmParams.return_url;
    if (redirect === 'always' && !returnUrl) {
      throw new Error(
        "stripe.confirmPayment(): the `confirmParams.return_url` argument is required unless passing `redirect: 'if_required'`.",
      );
    }
    const element = elements?.getElement('payment');
    if (!element && !confirmParams.payment_method) return noElement();
    // The frame creates the payment method and confirms: the page never sees the card.
    const result = element
      ? await element._ask('confirm', { intentId, clientSecret: secret, confirmParams, publishableKey })
      : await callApi(publishableKey, `/payment_intents/${intentId}/confirm`, {
          client_secret: secret,
          payment_method: confirmParams.payment_method,
          ...(returnUrl ? { return_url: returnUrl } : {}),
        });
    if (result.error) return result;
    return finish(result.paymentIntent, returnUrl, redirect);
  }

  function finish(intent, returnUrl, redirect) {
    const action = intent.next_action;
    if (action?.type === 'redirect_to_url') return leaveFor(action.redirect_to_url.url);
    if (action) return challengeInFrame(intent);
    if (redirect === 'if_required') return { paymentIntent: intent };
    const url = new URL(returnUrl);
    url.searchParams.set('payment_intent', intent.id);
    url.searchParams.set('payment_intent_client_secret', intent.client_secret);
    url.searchParams.set('redirect_status', intent.status === 'processing' ? 'pending' : 'succeeded');
    return leaveFor(url.href);
  }

  function challengeInFrame(intent) {
    return Promise.resolve({
      error: {
        type: 'invalid_request_error',
        code: 'payment_intent_authentication_failure',
        message:
          'This card asks for 3-D Secure: pass confirmParams.return_url, so that the sandbox can come back.',
        payment_intent: intent,
      },
    });
  }

  function leaveFor(url) {
    window.location.assign(url);
    // As in the real one, the promise stays pending while the browser navigates.
    return new Promise(() => {});
  }

  async function retrievePaymentIntent(publishableKey, clientSecret) {
    const intentId = SECRET.exec(clientSecret ?? '')?.[1];
    if (!intentId)
      throw new Error(
        'Invalid value for stripe.retrievePaymentIntent intent secret: value should be a client_secret string.',
      );
    return callApi(publishableKey, `/payment_intents/${intentId}?client_secret=${clientSecret}`);
  }

  async function handleNextAction(publishableKey, clientSecret) {
    const result = await retrievePaymentIntent(publishableKey, clientSecret);
    if (result.error || !result.paymentIntent.next_action) return result;
    return finish(result.paymentIntent, undefined, 'if_required');
  }

  async function callApi(publishableKey, path, form) {
    try {
      const url = new URL(`${ORIGIN}/stripe/v1${path}`);
      if (!form) url.searchParams.set('key', publishableKey);
      const body = form && new URLSearchParams({ ...form, key: publishableKey });
      const response = await fetch(url, body ? { method: 'POST', body } : {});
      const answer = await response.json();
      return response.ok ? { paymentIntent: answer } : { error: answer.error };
    } catch {
      return API_FAILED;
    }
  }

  function noElement() {
    return {
      error: {
        type: 'validation_error',
        code: 'element_not_ready',
        message: 'The Payment Element is not ready yet. Please try again in a moment.',
      },
    };
  }

  window.Stripe = Stripe;
})();

// A stand-in for PayPal's script v6: createInstance, a one-time payment session with its window, <paypal-button>.
(() => {
  const ORIGIN = new URL(document.currentScript.src).origin;
  const CLOSED_CHECK_MS = 250;

  async function createInstance({ clientToken, components = [], pageType } = {}) {
    if (!clientToken) throw new TypeError('createInstance needs a clientToken');
    if (!components.includes('paypal-payments'))
      throw new TypeError("components must name 'paypal-payments'");
    return {
      pageType,
      createPayPalOneTimePaymentSession: (options) => createSession(clientToken, options),
      findEligibleMethods: async () => ({
        isEligible: (method) => method === 'paypal',
        getDetails: () => ({}),
      }),
    };
  }

  function createSession(
    clientToken,
    { onApprove, onCancel, onComplete, onError, orderId: knownOrder } = {},
  ) {
    let current = null;

    function finish(state) {
      current?.stop();
      current = null;
      onComplete?.({ paymentSessionState: state });
    }

    function fail(error) {
      current?.popup.close();
      finish('error');
      if (onError) onError(error);
      else console.error(error);
    }

    async function start(options = {}, orderPromise) {
      const { presentationMode = 'auto' } = options;
      if (!['auto', 'popup'].includes(presentationMode)) {
        throw codedError(
          'ERR_INVALID_PRESENTATION_MODE',
          `The sandbox has no presentation mode ${presentationMode}.`,
        );
      }
      current?.popup.close();
      current?.stop();
      // Opened within the click, or browsers block it; the order's address follows when the shop has made it. Empty
      // until then: a page still loading would sometimes win over that address.
      const popup = window.open('', '', 'popup,width=500,height=640');
      if (!popup)
        throw codedError('ERR_DEV_UNABLE_TO_OPEN_POPUP', 'The browser blocked the window of PayPal.');
      popup.document.title = 'PayPal';
      popup.document.body.textContent = 'Connecting to PayPal…';
      current = watch(popup);
      const mine = current;
      try {
        const orderId = (await orderPromise)?.orderId ?? knownOrder;
        if (typeof orderId !== 'string') throw new TypeError('The order promise must resolve to { orderId }');
        if (current !== mine) return;
        mine.orderId = orderId;
        const query = new URLSearchParams({ token: orderId, shop: location.origin, client: clientToken });
        popup.location = `${ORIGIN}/paypal/checkoutnow?${query}`;
      } catch (error) {
        if (current === mine) fail(error);
        throw error;
      }
    }

    function watch(popup) {
      const receive = async (event) => {
        if (event.origin !== ORIGIN || event.source !== popup || !event.data?.sandboxPayPal) return;
        const { kind, orderId, payerId } = event.data;
        if (kind === 'expired') {
          fail(codedError('ERR_CLIENT_TOKEN_EXPIRED', 'The client token has expired.'));
          return;
        }
        if (kind === 'canceled') {
          finish('canceled');
          onCancel?.({ orderId });
          return;
        }
        finish('approved');
        try {
          await onApprove?.({ orderId, payerId });
        } catch (error) {
          if (onError) onError(error);
          else console.error(error);
        }
      };
      window.addEventListener('message', receive);
      const timer = setInterval(() => {
        // A window's last message may arrive just after it has closed.
        if (popup.closed) setTimeout(canceledByClosing, CLOSED_CHECK_MS);
      }, CLOSED_CHECK_MS);
      const watching = {
        popup,
        orderId: undefined,
        stop() {
          clearInterval(timer);
          window.removeEventListener('message', receive);
        },
      };
      function canceledByClosing() {
        if (current !== watching) return;
        finish('canceled');
        onCancel?.({ orderId: watching.orderId });
      }
      return watching;
    }

    return {
      start,
      cancel() {
        current?.popup.close();
        finish('canceled');
      },
      destroy() {
        current?.popup.close();
        current?.stop();
        current = null;
      },
      hasReturned: () => false,
      resume: async () => {},
    };
  }

  class PayPalButton extends HTMLElement {
    connectedCallback() {
      if (this.shadowRoot) return;
      const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
      // A constructed sheet: the page's policy allows no inline style.
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`
        :host { display: block; min-width: 150px; }
        :host([hidden]) { display: none; }
        button { width: 100%; min-height: 45px; border: 0; border-radius: 6px; background: #ffc439; color: #111;
          font: 600 16px/1 system-ui, sans-serif; cursor: pointer; }
        button:hover { background: #f2ba36; }
        button:focus-visible { outline: 3px solid #003087; outline-offset: 2px; }
        button:disabled { opacity: 0.5; cursor: not-allowed; }
      `);
      root.adoptedStyleSheets = [sheet];
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent =
        this.getAttribute('type') === 'checkout' ? 'Check out with PayPal' : 'Pay with PayPal';
      root.append(button);
      this.#followDisabled();
    }

    static observedAttributes = ['disabled'];

    attributeChangedCallback() {
      this.#followDisabled();
    }

    #followDisabled() {
      const button = this.shadowRoot?.querySelector('button');
      if (button) button.disabled = this.hasAttribute('disabled');
    }
  }

  function codedError(code, message) {
    return Object.assign(new Error(message), { code });
  }

  if (!customElements.get('paypal-button')) customElements.define('paypal-button', PayPalButton);
  window.paypal = { ...window.paypal, version: 'sandbox', createInstance };
})();

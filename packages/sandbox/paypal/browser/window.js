// The end of PayPal's window: the page that opened it is told, or else the browser goes back to the shop.
(() => {
  const { orderId, payerId, approved, shopOrigin, returnTo } = document.currentScript.dataset;
  if (window.opener && shopOrigin) {
    const kind = approved === 'true' ? 'approved' : 'canceled';
    window.opener.postMessage({ sandboxPayPal: true, kind, orderId, payerId }, shopOrigin);
    window.close();
  } else if (returnTo) window.location.replace(returnTo);
})();

// Ends PayPal's window: reports to the page that opened it, or sends the browser back to the shop.
(() => {
  const { kind, orderId, payerId, shopOrigin, returnTo } = document.currentScript.dataset;
  if (window.opener && shopOrigin) {
    window.opener.postMessage({ sandboxPayPal: true, kind, orderId, payerId }, shopOrigin);
    window.close();
  } else if (returnTo) window.location.replace(returnTo);
})();

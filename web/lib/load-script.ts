import { scriptNonce } from './checkout-document.ts';

const TIME_LIMIT_MS = 20_000;
const loading = new Map<string, Promise<void>>();

/** Adds a provider's script once. A failed one is removed, so that it can be retried. */
export function loadScript(url: string): Promise<void> {
  const known = loading.get(url);
  if (known !== undefined) return known;
  const promise = addScript(url).catch((error: unknown) => {
    loading.delete(url);
    throw error;
  });
  loading.set(url, promise);
  return promise;
}

function addScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = (reason: string) => {
      clearTimeout(limit);
      script.remove();
      reject(new Error(`${url} ${reason}`));
    };
    const limit = setTimeout(() => fail('did not load in time'), TIME_LIMIT_MS);
    script.src = url;
    script.async = true;
    const nonce = scriptNonce();
    if (nonce) script.nonce = nonce;
    script.onload = () => {
      clearTimeout(limit);
      resolve();
    };
    script.onerror = () => fail('could not be loaded');
    document.head.append(script);
  });
}

export const SERVICE_QUERY = 'service';

/** Whether the address still asks for a service: the router does not know that it was dropped. */
export function isServiceRequested(): boolean {
  return currentAddress().searchParams.has(SERVICE_QUERY);
}

/**
 * Drops the query once the buyer continues: after a reload it would override the service that they chose. Not through the
 * router, which would scroll and move the focus.
 */
export function dropRequestedService(): void {
  const address = currentAddress();
  address.searchParams.delete(SERVICE_QUERY);
  window.history.replaceState(window.history.state, '', address);
}

function currentAddress(): URL {
  return new URL(window.location.href);
}

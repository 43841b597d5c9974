/** The value that `make` returns the first time. RSA keys take a tenth of a second to make: all sandboxes of a process share them. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

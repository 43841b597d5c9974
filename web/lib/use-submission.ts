import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

/** A mutation that ignores calls while one is in flight: `isPending` alone lags a render behind a double click. */
export function useSubmission<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
): UseMutationResult<Data, Error, Variables> {
  const busy = useRef(false);
  const mutation = useMutation({
    ...options,
    async onSettled(...settled) {
      busy.current = false;
      await options.onSettled?.(...settled);
    },
  });
  const { mutate } = mutation;
  const submit: typeof mutate = useCallback(
    (...call) => {
      if (busy.current) return;
      busy.current = true;
      mutate(...call);
    },
    [mutate],
  );
  return { ...mutation, mutate: submit };
}

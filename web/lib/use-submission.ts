import { useCallback, useLayoutEffect, useRef, useState } from 'react';

interface Options<Data, Variables> {
  call: (variables: Variables) => Promise<Data>;
  onSuccess?: (data: Data, variables: Variables) => unknown;
  onError?: (error: Error, variables: Variables) => unknown;
  onSettled?: () => unknown;
}

type State<Data, Variables> =
  | typeof idle
  | { isPending: true; isSuccess: false; error: null; data: undefined; variables: Variables }
  | { isPending: false; isSuccess: true; error: null; data: Data; variables: Variables }
  | { isPending: false; isSuccess: false; error: Error; data: undefined; variables: Variables };

type Submission<Data, Variables> = State<Data, Variables> & {
  submit: (variables: Variables) => void;
};

const idle = {
  isPending: false,
  isSuccess: false,
  error: null,
  data: undefined,
  variables: undefined,
} as const;

/**
 * One call at a time: a double click submits once. Pending until the handlers have run. In place of the query library's
 * mutations, because every page carries a form, and most pages nothing else that needs that library.
 */
export function useSubmission<Data, Variables = void>(
  options: Options<Data, Variables>,
): Submission<Data, Variables> {
  const [state, setState] = useState<State<Data, Variables>>(idle);
  const busy = useRef(false);
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });

  const submit = useCallback((variables: Variables) => {
    if (busy.current) return;
    busy.current = true;
    setState({ ...idle, isPending: true, variables });
    void settle(latest, variables).then((settled) => {
      busy.current = false;
      setState(settled);
    });
  }, []);
  return { ...state, submit };
}

/** Calls, then runs the handlers. Never rejects: a handler that fails is a failure, too. */
export async function settle<Data, Variables>(
  latest: { current: Options<Data, Variables> },
  variables: Variables,
): Promise<State<Data, Variables>> {
  return callAndHandle(latest, variables).catch((thrown) => failure(thrown, variables));
}

async function callAndHandle<Data, Variables>(
  latest: { current: Options<Data, Variables> },
  variables: Variables,
): Promise<State<Data, Variables>> {
  try {
    const data = await latest.current.call(variables);
    await latest.current.onSuccess?.(data, variables);
    return { ...idle, isSuccess: true, data, variables };
  } catch (thrown) {
    const failed = failure(thrown, variables);
    await latest.current.onError?.(failed.error, variables);
    return failed;
  } finally {
    await latest.current.onSettled?.();
  }
}

function failure<Variables>(thrown: unknown, variables: Variables) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { ...idle, error, variables };
}

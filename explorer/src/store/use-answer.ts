// Hook that asks the server something, and again when what the question depends on changes.
import { useEffect, useState } from 'preact/hooks';

/**
 * Returns undefined until the answer is known. Aborts an outdated question and drops its answer.
 *
 * @param ask undefined to ask nothing
 * @param key changes to ask again
 */
export function useAnswer<T>(
  ask: ((signal: AbortSignal) => Promise<T>) | undefined,
  key: readonly unknown[],
): T | undefined {
  const [answer, setAnswer] = useState<{ readonly value: T } | undefined>(undefined);
  useEffect(() => {
    setAnswer(undefined);
    if (ask === undefined) return undefined;
    const abort = new AbortController();
    void ask(abort.signal).then((value) => {
      if (!abort.signal.aborted) setAnswer({ value });
    });
    return () => abort.abort();
  }, key);
  return answer?.value;
}

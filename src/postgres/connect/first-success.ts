// Runs attempts in order and returns the first success, or all errors. Starts the next attempt when one fails, and
// optionally when one takes long, so that an unresponsive host does not delay the others.
import { fail, type Result } from '../../contract/result.ts';

export interface FirstSuccessOptions<T, E> {
  /** Milliseconds before the next attempt starts in parallel; undefined runs the attempts one after the other. */
  readonly stagger: number | undefined;
  /** Whether no further attempt can succeed. */
  readonly isFinal: (error: E) => boolean;
  /** Called with a success that arrives after the result is known. */
  readonly onLateSuccess: (value: T) => void;
}

/** Errors are in the order of the attempts. */
export function findFirstSuccess<T, E>(
  attempts: readonly (() => Promise<Result<T, E>>)[],
  { stagger, isFinal, onLateSuccess }: FirstSuccessOptions<T, E>,
): Promise<Result<T, readonly E[]>> {
  return new Promise((resolve, reject) => {
    const errors = new Map<number, E>();
    let startedCount = 0;
    let isSettled = false;
    let timer: NodeJS.Timeout | undefined;

    const settle = (result: Result<T, readonly E[]>): void => {
      isSettled = true;
      clearTimeout(timer);
      resolve(result);
    };
    const settleAttempt = (index: number, result: Result<T, E>): void => {
      if (isSettled) return result.ok ? onLateSuccess(result.value) : undefined;
      if (result.ok) return settle(result);
      errors.set(index, result.error);
      if (!isFinal(result.error) && errors.size < attempts.length) return start();
      settle(fail([...errors].sort(([a], [b]) => a - b).map(([, error]) => error)));
    };
    const start = (): void => {
      clearTimeout(timer);
      const index = startedCount;
      const attempt = attempts[index];
      if (attempt === undefined) return;
      startedCount += 1;
      if (stagger !== undefined) timer = setTimeout(start, stagger);
      attempt().then((result) => settleAttempt(index, result), reject);
    };
    start();
  });
}

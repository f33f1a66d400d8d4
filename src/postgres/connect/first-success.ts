// In: attempts in order. Out: what the first success gave, or why each has failed. The next attempt begins when one has
// failed, and, if it is so wanted, when the last one has not ended for a while: who does not answer holds up nobody.
import { fail, type Result } from '../../contract/result.ts';

export interface FirstSuccessOptions<T, E> {
  /** Milliseconds that an attempt has before the next begins beside it; undefined: one after the other. */
  readonly stagger: number | undefined;
  /** No other attempt would fare better. */
  readonly isFinal: (error: E) => boolean;
  /** A success that came too late. */
  readonly onSurplus: (value: T) => void;
}

/** Errors: in the order of the attempts. */
export function findFirstSuccess<T, E>(
  attempts: readonly (() => Promise<Result<T, E>>)[],
  { stagger, isFinal, onSurplus }: FirstSuccessOptions<T, E>,
): Promise<Result<T, readonly E[]>> {
  return new Promise((resolve, reject) => {
    const errors = new Map<number, E>();
    let begun = 0;
    let isSettled = false;
    let timer: NodeJS.Timeout | undefined;

    const settle = (result: Result<T, readonly E[]>): void => {
      isSettled = true;
      clearTimeout(timer);
      resolve(result);
    };
    const take = (index: number, result: Result<T, E>): void => {
      if (isSettled) return result.ok ? onSurplus(result.value) : undefined;
      if (result.ok) return settle(result);
      errors.set(index, result.error);
      if (!isFinal(result.error) && errors.size < attempts.length) return begin();
      settle(fail([...errors].sort(([a], [b]) => a - b).map(([, error]) => error)));
    };
    const begin = (): void => {
      clearTimeout(timer);
      const index = begun;
      const attempt = attempts[index];
      if (attempt === undefined) return;
      begun += 1;
      if (stagger !== undefined) timer = setTimeout(begin, stagger);
      attempt().then((result) => take(index, result), reject);
    };
    begin();
  });
}

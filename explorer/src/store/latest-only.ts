// Runs asynchronous work of which only the latest counts: a new start aborts the previous one and drops its outcome.

export interface LatestOnly<Input, Outcome> {
  readonly start: (input: Input, done: (outcome: Outcome) => void) => void;
  /** Aborts; `done` is still called with the outcome. */
  readonly cancel: () => void;
  /** Aborts without calling `done`. */
  readonly drop: () => void;
}

export function latestOnly<Input, Outcome>(
  work: (input: Input, signal: AbortSignal) => Promise<Outcome>,
): LatestOnly<Input, Outcome> {
  let current: AbortController | undefined;
  return {
    start(input, done) {
      current?.abort();
      const started = new AbortController();
      current = started;
      void work(input, started.signal).then((outcome) => {
        if (current === started) done(outcome);
      });
    },
    cancel: () => current?.abort(),
    drop() {
      current?.abort();
      current = undefined;
    },
  };
}

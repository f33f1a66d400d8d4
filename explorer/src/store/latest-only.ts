// Work of which only the latest start counts: what was started before is aborted and its outcome dropped.

export interface LatestOnly<Input, Outcome> {
  readonly start: (input: Input, done: (outcome: Outcome) => void) => void;
  /** Aborts; the outcome is still told. */
  readonly cancel: () => void;
  /** Aborts; nothing is told. */
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

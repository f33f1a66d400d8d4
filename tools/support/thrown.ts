// Handles what was thrown, as a value.

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns what `work` returns, or `otherwise` if it throws. */
export function tryOr<T, U>(work: () => T, otherwise: U): T | U {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

// Describes what was thrown where nothing should be.

/** Never throws: the host application can throw values that are not errors or cannot be converted to text. */
export function describeCrash(error: unknown): string {
  try {
    return String(error instanceof Error ? (error.stack ?? error.message) : error);
  } catch {
    return 'The thrown value cannot be converted to text';
  }
}

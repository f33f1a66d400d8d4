// The reason why a test is skipped belongs to its name: the end of a run repeats it.

export const REASON: RegExp = /\(skipped: ([^)]*)\)/u;

/**
 * @param name of a test or a group of tests
 * @param reason what is missing and how to get it, without parentheses; undefined: nothing is missing
 */
export function skipped(name: string, reason: string | undefined): string {
  return reason === undefined ? name : `${name} (skipped: ${reason})`;
}

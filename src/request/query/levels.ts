// Parses and counts the levels of a recursive embed: `{4}` (`beyond.md` §1.11).
import type { Scanner } from './scanner.ts';

const WHOLE_NUMBER = /[1-9]\d*/uy;

/** @returns 1 if nothing is said about levels */
export function parseLevels(scanner: Scanner): number | undefined {
  if (!scanner.take('{')) return 1;
  WHOLE_NUMBER.lastIndex = scanner.at;
  const digits = WHOLE_NUMBER.exec(scanner.text)?.[0];
  scanner.expect('number of levels');
  if (digits === undefined) return undefined;
  scanner.advanceTo(scanner.at + digits.length);
  return scanner.take('}') ? Number(digits) : undefined;
}

/** Opens the levels of an embed; its list then occurs once in each. Returns false beyond the limit. */
export function enterLevels(scanner: Scanner, levels: number): boolean {
  for (let level = 0; level < levels; level += 1) if (!scanner.enter('embedDepth')) return false;
  scanner.copies *= levels;
  return true;
}

export function leaveLevels(scanner: Scanner, levels: number): void {
  for (let level = 0; level < levels; level += 1) scanner.leave();
  scanner.copies /= levels;
}

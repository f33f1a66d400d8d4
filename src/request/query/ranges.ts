// Combines `limit` and `offset` parameters into one range per embed path (`reading.md` §2.3, §9.1).
import { keyOfPath } from './paths.ts';
import type { Addressed, LimitOffset } from './query-params.ts';

export interface RangeParameter {
  readonly path: readonly string[];
  readonly bound: 'limit' | 'offset';
  readonly value: string;
}

/** The last value for a path wins, even one that is not an integer and therefore has no effect. */
export function combineRanges(parameters: readonly RangeParameter[]): readonly Addressed<LimitOffset>[] {
  const ranges = new Map<string, Addressed<LimitOffset>>();
  for (const { path, bound, value } of parameters) {
    const key = keyOfPath(path);
    const before = ranges.get(key)?.value;
    const given = parseInteger(value);
    const limit = bound === 'limit' ? given : before?.limit;
    const offset = bound === 'offset' ? given : before?.offset;
    ranges.set(key, { path, value: { limit, offset } });
  }
  return [...ranges.values()].filter(({ value }) => value.limit !== undefined || value.offset !== undefined);
}

const INTEGER = /^[+-]?\d+$/;

/** Returns undefined for text that is not a decimal integer; clamps to the safe integers. */
function parseInteger(text: string): number | undefined {
  if (!INTEGER.test(text)) return undefined;
  const value = Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(text)));
  return value === 0 ? 0 : value;
}

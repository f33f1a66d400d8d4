// Combines `limit` and `offset` parameters into one range per embed path (`reading.md` §2.3, §9.1).
import { keyOfPath } from './paths.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Addressed, LimitOffset } from './query-params.ts';

export interface RangeParameter {
  readonly path: readonly string[];
  readonly bound: 'limit' | 'offset';
  readonly value: string;
}

/**
 * The last value for a path wins. An empty one has no effect, and neither has one that is not an integer if `areLenient`;
 * otherwise it is an error.
 */
export function combineRanges(
  parameters: readonly RangeParameter[],
  areLenient: boolean,
): Result<readonly Addressed<LimitOffset>[], ApiError> {
  const ranges = new Map<string, Addressed<LimitOffset>>();
  for (const { path, bound, value } of parameters) {
    const key = keyOfPath(path);
    const before = ranges.get(key)?.value;
    const given = parseInteger(value);
    if (given === undefined && value !== '' && !areLenient) return fail(noInteger(bound, value));
    const limit = bound === 'limit' ? given : before?.limit;
    const offset = bound === 'offset' ? given : before?.offset;
    ranges.set(key, { path, value: { limit, offset } });
  }
  return ok([...ranges.values()].filter(({ value }) => value.limit !== undefined || value.offset !== undefined));
}

function noInteger(context: RangeParameter['bound'], text: string): ApiError {
  return { kind: 'queryParse', context, text, column: 1, details: 'expecting a whole number' };
}

const INTEGER = /^[+-]?\d+$/;

/** Returns undefined for text that is not a decimal integer; clamps to the safe integers. */
function parseInteger(text: string): number | undefined {
  if (!INTEGER.test(text)) return undefined;
  const value = Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(text)));
  return value === 0 ? 0 : value;
}

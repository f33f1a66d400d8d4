// Parses the `distinct` parameter (`beyond.md` §1.1). Its value is `*` or a list of columns; anything that begins like a
// filter expression is a filter on a column of that name.
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { GivenParameter } from './classify-parameters.ts';
import { attempt, parseText } from './combinators.ts';
import { parseField } from './field.ts';
import { keyOfPath, parseTreePath } from './paths.ts';
import type { Addressed, Distinct, Field } from './query-params.ts';
import type { QueryLimits } from './query-limits.ts';
import type { Scanner } from './scanner.ts';

/** The quotes in `"distinct"` keep it from matching the keyword. */
export function isDistinctName(name: string): boolean {
  return name === 'distinct' || name.endsWith('.distinct');
}

/** The first one for a path wins; later ones must still parse. */
export function parseDistinctParameters(
  parameters: readonly GivenParameter[],
  { limits, arguments: mode }: { readonly limits: QueryLimits; readonly arguments: 'none' | 'whereNotOperator' },
): Result<readonly Addressed<Distinct>[], ApiError> {
  const found = new Map<string, Addressed<Distinct>>();
  for (const { name, value } of parameters) {
    const address = parseText({ context: 'tree path', text: name, limits }, parseTreePath);
    if (!address.ok) return address;
    const distinct = parseText({ context: 'distinct parameter', text: value, limits }, parseDistinct);
    const { path } = address.value;
    // The value of an argument may be any text.
    if (!distinct.ok && mode === 'whereNotOperator' && path.length === 0) continue;
    if (!distinct.ok) return distinct;
    const key = keyOfPath(path);
    if (!found.has(key)) found.set(key, { path, value: distinct.value });
  }
  return ok([...found.values()]);
}

function parseDistinct(scanner: Scanner): Distinct | undefined {
  scanner.skipBlanks();
  return attempt(scanner, parseStar) ?? parseFields(scanner);
}

function parseStar(scanner: Scanner): Distinct | undefined {
  if (!scanner.take('*')) return undefined;
  scanner.skipBlanks();
  return { kind: 'rows' };
}

function parseFields(scanner: Scanner): Distinct | undefined {
  const fields: Field[] = [];
  do {
    const field = parseField(scanner);
    if (field === undefined || !scanner.count('selectItems') || !scanner.countTerm()) return undefined;
    fields.push(field);
  } while (scanner.take(','));
  return { kind: 'fields', fields };
}

// Parses `items.columns` and `items.on_conflict`: the parameters of rows that are nested in the body
// (`beyond.md` §2.2).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { GivenParameter } from './classify-parameters.ts';
import { parseText } from './combinators.ts';
import { type GrammarOptions, isFilterExpression, trailingTextOf } from './parse-parameters.ts';
import { parseColumnList } from './paths.ts';
import type { Addressed, NestedList } from './query-params.ts';

export interface SeparatedLists {
  readonly filters: readonly GivenParameter[];
  readonly lists: readonly Addressed<NestedList>[];
}

const NAME = /^(?<path>.+)\.(?<parameter>columns|on_conflict)$/u;

/** Separates the lists from the filters. A filter expression is a filter of a column with that name. */
export function separateNestedLists(
  parameters: readonly GivenParameter[],
  grammar: GrammarOptions,
): Result<SeparatedLists, ApiError> {
  const lists: Addressed<NestedList>[] = [];
  const filters: GivenParameter[] = [];
  for (const parameter of parameters) {
    const list = parseNestedList(parameter, grammar);
    if (list === undefined) filters.push(parameter);
    else if (list.ok) lists.push(list.value);
    else return fail(list.error);
  }
  return ok({ filters, lists });
}

function parseNestedList(
  { name, value }: GivenParameter,
  grammar: GrammarOptions,
): Result<Addressed<NestedList>, ApiError> | undefined {
  const { path, parameter } = NAME.exec(name)?.groups ?? {};
  if (path === undefined || (parameter !== 'columns' && parameter !== 'on_conflict')) return undefined;
  const { limits } = grammar;
  if (isFilterExpression(value, limits)) return undefined;
  const trailing = trailingTextOf(grammar, name);
  const context = `${parameter} parameter` as const;
  const columns = parseText({ context, text: value, limits, trailing }, parseColumnList);
  return columns.ok ? ok({ path: path.split('.'), value: { parameter, columns: columns.value } }) : columns;
}

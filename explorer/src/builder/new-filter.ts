// Creates new filters, and filters that test whether an embed has rows.
import type { DescribedType } from '../../../src/contract/schema-document.ts';
import type { Filter, Operation } from '../../../src/request/query/query-params.ts';
import { nameOfEmbed } from '../url-state/levels.ts';
import { firstOperatorFor } from './fitting-operators.ts';
import { embedsOf, type Level } from './level.ts';
import { makeOperation } from './operators.ts';

/** Returns the operation of a new filter; its value is still empty. */
export function firstOperation(type: DescribedType): Operation {
  const isTrue = type.category === 'boolean' && !type.isArray;
  return makeOperation(firstOperatorFor(type), [isTrue ? 'true' : '']);
}

/** `not.is.null` keeps the rows for which the embed is not empty. */
export function presenceTest(embed: string, hasRows: boolean): Filter {
  return {
    kind: 'filter',
    field: { column: embed, path: [] },
    negated: hasRows,
    operation: { kind: 'is', value: 'null' },
  };
}

/** An embed takes precedence over a column of the same name. */
export function isPresenceTest(level: Level, { field, operation }: Filter): boolean {
  const isNull = operation.kind === 'is' && operation.value === 'null' && field.path.length === 0;
  return isNull && embedsOf(level).some((embed) => nameOfEmbed(embed) === field.column);
}

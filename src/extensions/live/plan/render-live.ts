// Renders the statement that reads rows of a live response with their keys.
import type { RowRange } from '../../../request/range.ts';
import type { LiveKey } from './plan-live.ts';
import type { ReadPlan } from '../../../plan/levels/read-plan.ts';
import type { MainStatement } from '../../../contract/transaction.ts';
import { quoteIdentifier } from '../../../contract/identifiers.ts';
import { renderLine } from '../../../sql/body.ts';
import { renderRows } from '../../../sql/levels/read.ts';
import { relationSource } from '../../../sql/render-read.ts';
import { renderArrayLiteral } from '../../../sql/text/array-literal.ts';
import { StatementBuilder } from '../../../sql/text/statement-builder.ts';

export interface LiveRows {
  readonly read: ReadPlan;
  readonly key: LiveKey;
  readonly range: RowRange;
  /** Values of the key columns of the rows to read; undefined: all rows. */
  readonly touched: readonly (readonly string[])[] | undefined;
}

/** Each row is one text: a JSON array of the texts of the key, a line feed, and the row as JSON on one line. */
export function renderLiveRows({ read, key, range, touched }: LiveRows): MainStatement {
  const builder = new StatementBuilder(read.relation.name);
  const plain = relationSource(read);
  const conditions = touched === undefined ? [] : [renderKeyTest(key, touched, plain.ref, builder)];
  const plan = { ...read, range, order: touched === undefined ? read.order : [] };
  const rows = renderRows(plan, { ...plain, conditions }, builder);
  const alias = builder.alias();
  const values = key.map(({ name }) => `${alias}.${quoteIdentifier(name)}::text`).join(', ');
  const line = renderLine({ rows: alias, shape: 'set', scalarColumn: '' });
  return {
    text: `SELECT json_build_array(${values})::text || E'\\n' || ${line} FROM (${rows}) AS ${alias}`,
    parameters: builder.parameters,
    delivery: { kind: 'lines' },
  };
}

function renderKeyTest(
  key: LiveKey,
  touched: readonly (readonly string[])[],
  ref: string,
  builder: StatementBuilder,
): string {
  const columns = key.map(({ name }) => `${ref}.${quoteIdentifier(name)}`);
  const arrays = key.map(({ type }, index) => {
    const values = touched.map((values) => values[index] ?? '');
    return `${builder.bind(renderArrayLiteral(values))}::text[]::${type}[]`;
  });
  if (columns.length === 1) return `${columns[0] ?? ''} = ANY (${arrays[0] ?? ''})`;
  return `(${columns.join(', ')}) IN (SELECT * FROM unnest(${arrays.join(', ')}))`;
}

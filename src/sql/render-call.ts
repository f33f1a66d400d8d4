// Renders a call as a FROM item with named arguments, and the read of its rows (`writing.md` §14.4-§14.6).
import { renderArrayLiteral } from './text/array-literal.ts';
import { quoteIdentifier } from '../contract/identifiers.ts';
import type { MainStatement, Statement } from '../contract/transaction.ts';
import type { RoutineParameter } from '../catalog/schema-cache.ts';
import type { ArgumentsPlan, CallAction } from '../plan/actions/action-plan.ts';
import { hasRequiredEmbed } from '../plan/levels/read-plan.ts';
import type { RowsShape } from './body.ts';
import { renderCountQuery } from './levels/count.ts';
import { renderFunctionRows, renderWholeRows } from './levels/function-rows.ts';
import type { Source } from './levels/from.ts';
import { quoteQualified } from './text/identifier.ts';
import { nestedTypeOf, renderMainStatement } from './main-statement.ts';
import { renderRows } from './levels/read.ts';
import { explainCount, renderTotal } from './render-read.ts';
import { StatementBuilder } from './text/statement-builder.ts';

const SOURCE = '"_source"';

export function renderCall(action: CallAction, scalarColumn: string): MainStatement {
  const { routine, read } = action;
  const ref = quoteIdentifier(routine.name.name);
  const builder = new StatementBuilder(routine.name.name, nestedTypeOf(action.delivery));
  // PostgreSQL could skip a call if the page needs none of its rows. A function that may write must run.
  const mustForceCall =
    routine.volatility === 'volatile' && (action.read.range.limit !== undefined || hasRequiredEmbed(action.read));
  // The total is counted beside the page, so the call becomes a table expression that runs once.
  const isShared = mustForceCall || action.count.kind === 'exact' || action.count.kind === 'estimated';
  const call = renderSource(action, scalarColumn, isShared, builder);
  const source: Source = isShared ? { ...call, from: `${SOURCE} AS ${ref}` } : call;
  const rows = renderRows(read, source, builder);
  const total = renderTotal(action.count, () => renderCountQuery(read, source, builder), builder);
  return renderMainStatement(
    action,
    {
      with: isShared ? [`${SOURCE} AS (SELECT * FROM ${call.from})`] : [],
      rows,
      shape: shapeOf(action),
      scalarColumn,
      pageRows: undefined,
      total,
      readSettingsAfter: mustForceCall ? SOURCE : undefined,
      extra: [],
    },
    builder,
  );
}

export function renderCallPlannedCount(action: CallAction, scalarColumn: string): Statement {
  const builder = new StatementBuilder(action.routine.name.name);
  const source = renderSource(action, scalarColumn, false, builder);
  return explainCount(renderCountQuery(action.read, source, builder), builder);
}

function shapeOf({ routine }: CallAction): RowsShape {
  const { result } = routine;
  if (result.kind === 'void') return 'value';
  if (result.kind === 'scalar') return result.isSet ? 'values' : 'value';
  return result.isSet ? 'set' : 'row';
}

/**
 * Renders a FROM item with the rows of the call, under the name of the function.
 *
 * @param isShared whether the rows pass through a table expression
 */
function renderSource(action: CallAction, scalarColumn: string, isShared: boolean, builder: StatementBuilder): Source {
  const { routine, source, rowType: relation, computedColumns } = action;
  const ref = quoteIdentifier(routine.name.name);
  const { fromItem, list } = renderArguments(action, builder);
  const rows = {
    call: `${quoteQualified(routine.name)}(${list})`,
    fromItem,
    isFenced: action.read.fence !== undefined,
  };
  const place = { ref, conditions: [], depth: 0, relation: source.kind === 'row' ? relation : undefined };
  if (routine.result.kind !== 'composite') return { ...place, from: renderScalars(action, rows, scalarColumn) };
  const { rowType } = routine.result;
  if (rowType === undefined) return { ...place, from: renderColumns(action, rows) };
  // A cast would require privileges on the schema of the type.
  if (source.kind === 'row' && relation === undefined && computedColumns.size > 0 && !isShared) {
    const item = builder.alias();
    const from = `${renderWholeRows({ ...rows, rowType })} AS ${item} CROSS JOIN LATERAL (SELECT (${item}."row").*) AS ${ref}`;
    return { ...place, from, relation: { computedColumns, row: `(${item}."row")` } };
  }
  const columns = source.kind === 'row' ? ['*'] : source.names.map(quoteIdentifier);
  return { ...place, from: `${renderFunctionRows({ ...rows, rowType, columns })} AS ${ref}` };
}

interface RenderedCall {
  readonly call: string;
  /** FROM item that supplies the arguments; `''`: none. */
  readonly fromItem: string;
  /** See `FunctionRows`. */
  readonly isFenced: boolean;
}

function renderScalars(
  { routine }: CallAction,
  { call, fromItem, isFenced }: RenderedCall,
  scalarColumn: string,
): string {
  const ref = quoteIdentifier(routine.name.name);
  const scalar = quoteIdentifier(scalarColumn);
  // In FROM, a record without declared columns would need a column list.
  if (isFenced || (routine.result.kind === 'scalar' && routine.result.isRecord))
    return `(SELECT ${call} AS ${scalar}${fromItem === '' ? '' : ` FROM ${fromItem}`}) AS ${ref}`;
  return fromItem === ''
    ? `${call} AS ${ref}(${scalar})`
    : `(SELECT ${ref}.* FROM ${fromItem}, LATERAL ${call} AS ${ref}(${scalar})) AS ${ref}`;
}

/** Renders the columns of OUT parameters, whose types belong to the function. */
function renderColumns({ routine, source }: CallAction, { call, fromItem, isFenced }: RenderedCall): string {
  const ref = quoteIdentifier(routine.name.name);
  if (fromItem === '' && source.kind === 'row' && !isFenced) return `${call} AS ${ref}`;
  const columns = source.kind === 'row' ? ['*'] : source.names.map(quoteIdentifier);
  const { result } = routine;
  const [only, ...others] = result.kind === 'composite' ? result.outColumns : [];
  // One parameter is no record.
  if (isFenced && only !== undefined && others.length === 0)
    return `(SELECT ${call} AS ${quoteIdentifier(only[0])}${fromItem === '' ? '' : ` FROM ${fromItem}`}) AS ${ref}`;
  if (isFenced) {
    const row = `SELECT ${call} AS "row"${fromItem === '' ? '' : ` FROM ${fromItem}`}`;
    return `(SELECT ${columns.map((name) => `("_called"."row").${name}`).join(', ')} FROM (${row}) AS "_called") AS ${ref}`;
  }
  const from = fromItem === '' ? `${call} AS ${ref}` : `${fromItem}, LATERAL ${call} AS ${ref}`;
  return `(SELECT ${columns.map((name) => `${ref}.${name}`).join(', ')} FROM ${from}) AS ${ref}`;
}

interface RenderedArguments extends Pick<RenderedCall, 'fromItem'> {
  readonly list: string;
}

function renderArguments(action: CallAction, builder: StatementBuilder): RenderedArguments {
  const { arguments: plan, routine } = action;
  const held = new HeldArguments(action, builder);
  switch (plan.kind) {
    case 'none':
      return { fromItem: '', list: '' };
    case 'body': {
      const list = held.hold(
        `${builder.bind(plan.type === 'bytea' ? { kind: 'binary', bytes: plan.bytes } : plan.bytes)}::${plan.type}`,
      );
      return { fromItem: held.fromItem, list };
    }
    case 'text': {
      const list = plan.values.map(({ name, values }) => {
        const parameter = routine.parameters.find((candidate) => candidate.name === name);
        const value = parameter?.isVariadic ? renderArrayLiteral(values) : (values[0] ?? '');
        const type = parameter?.castType ?? 'text';
        const rendered = `${builder.bind(value)}::${type}`;
        return passByName(name, parameter, DOCUMENT_TYPES.has(type) ? held.hold(rendered) : rendered);
      });
      return { fromItem: held.fromItem, list: list.join(', ') };
    }
    case 'json':
      return renderJsonArguments(plan, routine.parameters, builder);
  }
}

/** Their values are parsed by each expression that reads them, and no index serves comparisons with them. */
const DOCUMENT_TYPES: ReadonlySet<string> = new Set(['json', 'jsonb', 'xml']);

/**
 * Arguments whose values the planner does not know. If it puts the body of a function into the statement, each field is a
 * copy of the row at first, so that it would compute what depends on constants alone once for each pair of columns.
 */
class HeldArguments {
  readonly #mayExpand: boolean;
  readonly #builder: StatementBuilder;
  readonly #values: string[] = [];
  #alias = '';

  constructor({ routine: { result, volatility } }: CallAction, builder: StatementBuilder) {
    this.#mayExpand = volatility !== 'volatile' && result.kind === 'composite' && result.rowType !== undefined;
    this.#builder = builder;
  }

  /** @returns SQL of the argument */
  hold(value: string): string {
    if (!this.#mayExpand) return value;
    if (this.#alias === '') this.#alias = this.#builder.alias();
    const name = `"${this.#values.length + 1}"`;
    this.#values.push(`${value} AS ${name}`);
    return `${this.#alias}.${name}`;
  }

  get fromItem(): string {
    return this.#values.length === 0 ? '' : `(SELECT ${this.#values.join(', ')} OFFSET 0) AS ${this.#alias}`;
  }
}

/** Only the first element of an array is used. */
function renderJsonArguments(
  { bytes, isArray, names }: Extract<ArgumentsPlan, { kind: 'json' }>,
  parameters: readonly RoutineParameter[],
  builder: StatementBuilder,
): RenderedArguments {
  const body = `${builder.bind(bytes)}::json`;
  const unnamed = parameters.find(({ name }) => name === '');
  // A record column cannot have an empty name.
  if (unnamed !== undefined)
    return { fromItem: '', list: `(${body}${isArray ? '->0' : ''}->>'')::${unnamed.castType}` };
  const row = builder.alias();
  const used = parameters.filter(({ name }) => names.includes(name));
  const types = used.map(({ name, castType }) => `${quoteIdentifier(name)} ${castType}`).join(', ');
  const list = used.map((parameter) => {
    return passByName(parameter.name, parameter, `${row}.${quoteIdentifier(parameter.name)}`);
  });
  const fromItem = isArray
    ? `(SELECT * FROM json_to_recordset(${body}) AS ${row}(${types}) LIMIT 1) AS ${row}`
    : `json_to_record(${body}) AS ${row}(${types})`;
  return { fromItem, list: list.join(', ') };
}

/** The single unnamed parameter is passed by position. */
function passByName(name: string, parameter: RoutineParameter | undefined, value: string): string {
  if (name === '') return value;
  return `${parameter?.isVariadic ? 'VARIADIC ' : ''}${quoteIdentifier(name)} := ${value}`;
}

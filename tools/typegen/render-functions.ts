// Renders `Functions`: one entry per name, with a union if there are several functions of that name.
import { type Routine, type RoutineParameter, findRelation } from '../../src/catalog/schema-cache.ts';
import { sortedNames } from '../../src/util/code-points.ts';
import { findComputedRelationship, isComputedField, isListedAsTable, listComputedFields } from './render-relation.ts';
import {
  renderFunctionType,
  renderNullableType,
  renderReference,
  type TypegenContext,
  renderType,
} from './render-type.ts';
import type { RowFunction } from './typegen-facts.ts';
import { renderArray, renderLiteral, renderObject, renderUnion, type Member } from './typescript.ts';
import { assertNever, type Result } from '../../src/contract/result.ts';
import type { QualifiedName } from '../../src/contract/identifiers.ts';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import { describeServiceError } from '../../src/errors/error-catalog.ts';
import type { ResolvedRoutine } from '../../src/plan/calls/overload.ts';
import { resolveCall } from '../support/resolve-call.ts';

export function renderFunctions(schema: string, context: TypegenContext): string {
  const routines = context.cache.routines.get(schema) ?? new Map<string, readonly Routine[]>();
  const rowFunctions = context.facts.rowFunctions.filter(({ name }) => name.schema === schema);
  const names = sortedNames([...routines.keys(), ...rowFunctions.map(({ name }) => name.name)]);
  return renderObject(
    names.flatMap((name): readonly Member[] => {
      const overloads = (routines.get(name) ?? []).filter((routine) => isCalledByName(routine, context));
      const row = rowFunctions.filter((candidate) => candidate.name.name === name);
      const comments = [...overloads, ...row].map(({ comment }) => comment);
      const types = [
        ...overloads.map((routine) => renderRoutine(routine, context)),
        ...row.flatMap((candidate) => renderComputedRelationship(candidate, context) ?? []),
        ...renderComputedFields(
          row.filter((candidate) => isComputedField(candidate, context)),
          context,
        ),
      ];
      return types.length === 0 ? [] : [{ name, type: renderUnion(types), comment: comments.find(Boolean) }];
    }),
  );
}

/** Result types that only PostgreSQL itself can use. */
const INTERNAL_RESULTS: ReadonlySet<string> = new Set([
  'event_trigger',
  'fdw_handler',
  'index_am_handler',
  'internal',
  'language_handler',
  'table_am_handler',
  'tsm_handler',
]);

/** Whether the function is called by name, as opposed to a field or relationship of a row, which has its own entry. */
function isCalledByName({ name, parameters, result }: Routine, context: TypegenContext): boolean {
  if (result.kind === 'scalar' && INTERNAL_RESULTS.has(result.type)) return false;
  const [first] = parameters;
  if (first === undefined || parameters.length > 1) return true;
  const type = context.facts.types.get(first.type);
  if (type?.kind !== 'composite' || type.name.schema !== name.schema) return true;
  return !context.facts.rowFunctions.some(
    (candidate) =>
      candidate.relation === type.name.name &&
      candidate.name.schema === name.schema &&
      candidate.name.name === name.name &&
      (isComputedField(candidate, context) || findComputedRelationship(candidate, context) !== undefined),
  );
}

function renderRoutine(routine: Routine, context: TypegenContext): string {
  const callError = findCallError(routine, context);
  return renderObject([
    { name: 'Args', type: renderArguments(routine.parameters, context) },
    ...(callError === undefined ? renderResult(routine, context) : [{ name: 'Returns', type: callError }]),
  ]);
}

function renderArguments(parameters: readonly RoutineParameter[], context: TypegenContext): string {
  const [first] = parameters;
  if (first === undefined) return 'never';
  // A single unnamed JSON parameter takes the whole body.
  if (first.name === '' && /^jsonb?$/u.test(first.type)) return '{ [key: string]: Json | undefined }';
  return renderObject(
    parameters.map(({ name, type, isRequired }) => ({
      name,
      type: renderFunctionType(type, 'input', context),
      isOptional: !isRequired,
    })),
  );
}

function renderComputedRelationship(candidate: RowFunction, context: TypegenContext): string | undefined {
  const relationship = findComputedRelationship(candidate, context);
  if (relationship === undefined) return undefined;
  const { target, isToOne } = relationship;
  const row = renderRelationRow(target, context);
  const isList = candidate.isSet && !isToOne;
  const options = renderSetofOptions(candidate.relation, target, isToOne, candidate.isSet);
  return renderObject([
    {
      name: 'Args',
      type: renderObject([{ name: candidate.parameter ?? '', type: renderFullRow(candidate, context) }]),
    },
    { name: 'Returns', type: isList ? renderArray(row) : row },
    ...(target.schema === candidate.name.schema ? [{ name: 'SetofOptions', type: options }] : []),
  ]);
}

/**
 * The client treats a field of a row as computed if the function of that name takes the row as its only, unnamed
 * argument, whatever the parameter is really called. It recognizes an intersection of rows, but not a union of
 * functions.
 */
function renderComputedFields(fields: readonly RowFunction[], context: TypegenContext): readonly string[] {
  const [first] = fields;
  if (first === undefined) return [];
  const row = fields.map((field) => renderFullRow(field, context)).join(' & ');
  const results = fields.map(({ resultType }) => renderNullableType(resultType, 'output', context));
  const returns = findRowCallError(first.name, context) ?? renderUnion(results);
  return [
    renderObject([
      { name: 'Args', type: renderObject([{ name: '', type: row }]) },
      { name: 'Returns', type: returns },
    ]),
  ];
}

/** Includes the computed fields, by which the client identifies the row. */
function renderFullRow({ name: { schema }, relation: name }: RowFunction, { cache }: TypegenContext): string {
  const relation = cache.relations.get(schema)?.get(name);
  const group = relation !== undefined && isListedAsTable(relation) ? 'Tables' : 'Views';
  return renderReference(schema, group, name, 'Row');
}

// Renders the result of a function as `Returns`. For rows of a relation, adds `SetofOptions`, which tells the client
// their relationships.

function renderResult({ name, result }: Routine, context: TypegenContext): readonly Member[] {
  switch (result.kind) {
    case 'void':
      return [{ name: 'Returns', type: 'undefined' }];
    case 'scalar':
      return renderReturns(result.isRecord ? RECORD : renderFunctionType(result.type, 'output', context), result.isSet);
    case 'composite': {
      const { rowType, isSet } = result;
      if (rowType !== undefined && findRelation(context.cache, rowType) !== undefined) {
        const isSameSchema = rowType.schema === name.schema;
        const options = isSameSchema
          ? [{ name: 'SetofOptions', type: renderSetofOptions('*', rowType, !isSet, isSet) }]
          : [];
        return [...renderReturns(renderRelationRow(rowType, context), isSet), ...options];
      }
      if (rowType !== undefined) return renderReturns(renderType(result.type, 'output', context), isSet);
      return renderReturns(renderOutColumns(result.outColumns, context), isSet);
    }
    default:
      return assertNever(result);
  }
}

/** Omits computed fields, which are returned only if selected. */
function renderRelationRow(name: QualifiedName, context: TypegenContext): string {
  const relation = findRelation(context.cache, name);
  const group = relation === undefined || isListedAsTable(relation) ? 'Tables' : 'Views';
  const row = renderReference(name.schema, group, name.name, 'Row');
  const computed = relation === undefined ? [] : listComputedFields(relation, context);
  const names = computed.map((field) => renderLiteral(field.name.name));
  return names.length === 0 ? row : `Omit<${row}, ${names.join(' | ')}>`;
}

const RECORD = 'Record<string, unknown>';

function renderReturns(type: string, isSet: boolean): readonly Member[] {
  return [{ name: 'Returns', type: isSet ? renderArray(type) : type }];
}

function renderOutColumns(
  columns: readonly (readonly [name: string, type: string])[],
  context: TypegenContext,
): string {
  return renderObject(columns.map(([name, type]) => ({ name, type: renderFunctionType(type, 'output', context) })));
}

/** @param from a relation; `*` means that the function is not a field of a row */
function renderSetofOptions(from: string, target: QualifiedName, isToOne: boolean, isSet: boolean): string {
  return renderObject([
    { name: 'from', type: renderLiteral(from) },
    { name: 'to', type: renderLiteral(target.name) },
    { name: 'isOneToOne', type: String(isToOne) },
    { name: 'isSetofReturn', type: String(isSet) },
  ]);
}

// Finds functions that no call can reach. Their result type is the error that the server returns, found by resolving
// overloads like the server.

/** A key that no parameter has, which selects functions that take the whole body. */
const NO_PARAMETER = '\0';

/** Returns undefined if some arguments lead to the function. */
function findCallError(routine: Routine, context: TypegenContext): string | undefined {
  const all = routine.parameters.map(({ name }) => name);
  const required = routine.parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const outcomes = [required, all, [NO_PARAMETER]].map((names) => resolveCall(context.cache, routine.name, names));
  if (outcomes.some((outcome) => outcome.ok && outcome.value.routine === routine)) return undefined;
  return outcomes.map(renderFailure).find((text) => text !== undefined);
}

/**
 * The error of calling a function of a row by name, since queries select it as a column and its argument is unnamed.
 */
function findRowCallError(name: QualifiedName, context: TypegenContext): string | undefined {
  return renderFailure(resolveCall(context.cache, name, ['']));
}

function renderFailure(outcome: Result<ResolvedRoutine, ApiError>): string | undefined {
  if (outcome.ok || outcome.error.kind === 'database') return undefined;
  const { message, details, hint } = describeServiceError(outcome.error, SVC_DIALECT);
  const text = typeof details === 'string' ? details : [message, hint].filter(Boolean).join('. ');
  return `{ error: true } & ${renderLiteral(text)}`;
}

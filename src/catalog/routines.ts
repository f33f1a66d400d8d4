// Decodes rows of the statement `routines` into the functions that requests can call (`operating.md` §5.7, `writing.md`
// §14.1).
import { FORMAT_LIST } from '../media/formats.ts';
import { compareCodePoints } from '../util/code-points.ts';
import { readIsolationLevel } from '../contract/transaction.ts';
import { type CatalogRow, flagAt, numberAt, optionalTextAt, textAt, textsAt } from './catalog-rows.ts';
import { ROUTINE } from './introspect/routines.sql.ts';
import { groupByName } from './maps.ts';
import type { BySchema, Routine, RoutineParameter, RoutineResult } from './schema-cache.ts';
import { flatMapInSlices, type Slices } from '../util/slices.ts';

const VOLATILITY: Readonly<Record<string, Routine['volatility']>> = { v: 'volatile', s: 'stable', i: 'immutable' };

export function* decodeRoutines(rows: readonly CatalogRow[]): Slices<BySchema<readonly Routine[]>> {
  const routines = yield* flatMapInSlices(rows, decodeRoutine);
  const byName = yield* groupByName(routines, ({ name }) => name);
  for (const names of byName.values()) for (const overloads of names.values()) overloads.sort(compareOverloads);
  return byName;
}

/** Returns nothing for functions that can be called neither with named arguments nor with a whole body. */
function decodeRoutine(row: CatalogRow): readonly Routine[] {
  const names = textsAt(row, ROUTINE.parameterNames);
  const modes = textsAt(row, ROUTINE.parameterModes);
  const parameters = textsAt(row, ROUTINE.parameterTypes).map((type, index) => ({
    name: names[index] ?? '',
    type,
    mode: modes[index] ?? 'i',
  }));
  const given = parameters.filter(({ mode }) => mode === 'i' || mode === 'b' || mode === 'v');
  // Defaults always belong to the last input parameters.
  const firstOptional = given.length - numberAt(row, ROUTINE.defaultCount);
  const inputs = given.map(({ name, type, mode }, index) => ({
    name,
    type,
    castType: CAST_TYPES.get(type) ?? type,
    isRequired: index < firstOptional,
    isVariadic: mode === 'v',
  }));
  if (!isCallable(inputs)) return [];
  const settings = textsAt(row, ROUTINE.settings).map(parseSetting);
  const isolation = settings.find(([name]) => name === 'default_transaction_isolation')?.[1];
  const routine: Routine = {
    oid: textAt(row, ROUTINE.oid),
    name: { schema: textAt(row, ROUTINE.schema), name: textAt(row, ROUTINE.name) },
    comment: optionalTextAt(row, ROUTINE.comment),
    parameters: inputs,
    result: decodeResult(row, parameters),
    volatility: VOLATILITY[textAt(row, ROUTINE.volatility)] ?? 'volatile',
    isolation: isolation === undefined ? undefined : readIsolationLevel(isolation),
    settings,
  };
  return [routine];
}

/**
 * Orders overloads (`writing.md` §14.3 item 5) by number of parameters, then comment, none first, then names and types.
 */
function compareOverloads(left: Routine, right: Routine): number {
  return (
    left.parameters.length - right.parameters.length ||
    compareCodePoints(left.comment ?? '', right.comment ?? '') ||
    left.parameters.reduce((order, parameter, index) => {
      const other = right.parameters[index];
      if (order !== 0 || other === undefined) return order;
      return compareCodePoints(parameter.name, other.name) || compareCodePoints(parameter.type, other.type);
    }, 0)
  );
}

function decodeResult(row: CatalogRow, parameters: readonly Parameter[]): RoutineResult {
  const type = textAt(row, ROUTINE.resultType);
  if (type === 'void') return { kind: 'void' };
  const isSet = flagAt(row, ROUTINE.isSet);
  const schema = optionalTextAt(row, ROUTINE.rowTypeSchema);
  // PostgreSQL expands a single OUT parameter of a row type to that row's columns, so check the row type first.
  if (schema !== undefined) {
    const name = { schema, name: textAt(row, ROUTINE.rowTypeName) };
    const rowType = { ...name, oid: textAt(row, ROUTINE.rowTypeRelation) };
    return { kind: 'composite', isSet, type, rowType, outColumns: [] };
  }
  const outColumns = listOutColumns(parameters, textAt(row, ROUTINE.name));
  if (outColumns.length > 0) return { kind: 'composite', isSet, type, rowType: undefined, outColumns };
  return { kind: 'scalar', isSet, type, isRecord: type === 'record' };
}

function parseSetting(entry: string): readonly [name: string, value: string] {
  const equals = entry.indexOf('=');
  return [entry.slice(0, equals), entry.slice(equals + 1)];
}

interface Parameter {
  /** `''` if unnamed. */
  readonly name: string;
  readonly type: string;
  /** `i` IN, `b` INOUT, `v` VARIADIC, `o` OUT, `t` TABLE. */
  readonly mode: string;
}

/** Types without a length, because `character` alone means length 1 and would truncate (`operating.md` §5.7 item 4). */
const CAST_TYPES: ReadonlyMap<string, string> = new Map([
  ['character', 'character varying'],
  ['character[]', 'character varying[]'],
  ['bit', 'bit varying'],
  ['bit[]', 'bit varying[]'],
]);

/** Types of a single unnamed parameter that takes the whole body. */
const BODY_TYPES: ReadonlySet<string> = new Set(FORMAT_LIST.flatMap(({ body }) => body?.parameterTypes ?? []));

/** Unnamed output columns get PostgreSQL's names: by position, or the function's own name if there is only one. */
function listOutColumns(
  parameters: readonly Parameter[],
  routineName: string,
): readonly (readonly [name: string, type: string])[] {
  const outputs = parameters.filter(({ mode }) => mode === 'o' || mode === 'b' || mode === 't');
  return outputs.map(({ name, type }, index) => {
    const fallback = outputs.length === 1 ? routineName : `column${index + 1}`;
    return [name === '' ? fallback : name, type];
  });
}

function isCallable(inputs: readonly RoutineParameter[]): boolean {
  const [first] = inputs;
  if (inputs.length === 1 && first?.name === '') return BODY_TYPES.has(first.type);
  return inputs.every(({ name }) => name !== '');
}

// Decodes a function's parameter list from the catalog into input parameters and output columns, and checks whether a
// request can supply the inputs.
import { FORMAT_LIST } from '../media/formats.ts';
import { type CatalogRow, textsAt } from './catalog-rows.ts';
import { ROUTINE } from './introspect/routines.sql.ts';
import type { RoutineParameter } from './schema-cache.ts';

export interface Parameter {
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

/** Returns the parameters of every mode, in order. */
export function decodeParameters(row: CatalogRow): readonly Parameter[] {
  const names = textsAt(row, ROUTINE.parameterNames);
  const modes = textsAt(row, ROUTINE.parameterModes);
  return textsAt(row, ROUTINE.parameterTypes).map((type, index) => ({
    name: names[index] ?? '',
    type,
    mode: modes[index] ?? 'i',
  }));
}

/** Defaults always belong to the last input parameters. */
export function listInputs(parameters: readonly Parameter[], defaultCount: number): readonly RoutineParameter[] {
  const inputs = parameters.filter(({ mode }) => mode === 'i' || mode === 'b' || mode === 'v');
  return inputs.map(({ name, type, mode }, index) => ({
    name,
    type,
    castType: CAST_TYPES.get(type) ?? type,
    isRequired: index < inputs.length - defaultCount,
    isVariadic: mode === 'v',
  }));
}

/** Unnamed output columns get PostgreSQL's names: by position, or the function's own name if there is only one. */
export function listOutColumns(
  parameters: readonly Parameter[],
  routineName: string,
): readonly (readonly [name: string, type: string])[] {
  const outputs = parameters.filter(({ mode }) => mode === 'o' || mode === 'b' || mode === 't');
  return outputs.map(({ name, type }, index) => {
    const fallback = outputs.length === 1 ? routineName : `column${index + 1}`;
    return [name === '' ? fallback : name, type];
  });
}

export function isCallable(inputs: readonly RoutineParameter[]): boolean {
  const [first] = inputs;
  if (inputs.length === 1 && first?.name === '') return BODY_TYPES.has(first.type);
  return inputs.every(({ name }) => name !== '');
}

// Chooses the overload of a function that accepts the given argument names, and how to pass them
// (`writing.md` §14.2, §14.3, §14.9). Values and types do not matter.
import { findRoutines, type Routine, type RoutineParameter, type SchemaCache } from '../../catalog/schema-cache.ts';
import { isRoutineVisible, type Visible } from '../../catalog/visible-names.ts';
import { compareCodePoints, sortedNames } from '../../util/code-points.ts';
import { displayName, type QualifiedName } from '../../contract/identifiers.ts';
import { FORMATS, isRawFormat, type PayloadFormat, type RawParameterType } from '../../media/formats.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { suggest } from '../../util/suggest.ts';

/** `named`: by name, or no arguments. Otherwise, the only argument is the body or a JSON object of all arguments. */
export type ArgumentPassing = 'named' | 'wholeBody' | 'singleObject';

export interface OverloadSearch {
  readonly cache: SchemaCache;
  /** Objects that errors may name. */
  readonly visible: Visible;
  readonly name: QualifiedName;
  /** In any order, repeats allowed. */
  readonly argumentNames: readonly string[];
  /** `get` also covers HEAD. */
  readonly method: 'get' | 'post' | 'options';
  /** Format of the body; used for POST only. */
  readonly contentType: PayloadFormat;
  /** `Prefer: params=single-object` */
  readonly singleObject: boolean;
}

export interface ResolvedRoutine {
  readonly routine: Routine;
  readonly passing: ArgumentPassing;
}

/** Minimum similarity for hints: of function names, and of the parameter lists of overloads with the requested name. */
const MINIMUM_NAME_SIMILARITY = 0.75;
const MINIMUM_PARAMETER_SIMILARITY = 0.33;

/** Fails with `routineNotFound` or `routineAmbiguous`. */
export function resolveRoutine(search: OverloadSearch): Result<ResolvedRoutine, ApiError> {
  const overloads = findRoutines(search.cache, search.name);
  const resolved = search.singleObject
    ? pickOne(overloads.filter(acceptsSingleJson), 'singleObject', search)
    : (pickNamed(overloads, search) ?? pickOne(overloads.filter(acceptsBody(search)), 'wholeBody', search));
  if (resolved !== undefined) return resolved;
  const shown = overloads.filter((routine) => isRoutineVisible(search.visible, routine));
  return fail(notFound(search, shown));
}

/** Passes the whole body to a single unnamed parameter, even if the body contains a value with an empty name. */
function pickNamed(
  overloads: readonly Routine[],
  search: OverloadSearch,
): Result<ResolvedRoutine, ApiError> | undefined {
  const picked = pickOne(overloads.filter(acceptsNames(search)), 'named', search);
  if (!picked?.ok || search.argumentNames.length === 0) return picked;
  const { routine } = picked.value;
  return acceptsBody(search)(routine) ? ok({ routine, passing: 'wholeBody' }) : picked;
}

function pickOne(
  candidates: readonly Routine[],
  passing: ArgumentPassing,
  { name, visible }: OverloadSearch,
): Result<ResolvedRoutine, ApiError> | undefined {
  const [routine, ...others] = candidates;
  if (routine === undefined) return undefined;
  if (others.length === 0) return ok({ routine, passing });
  const shown = candidates.filter((candidate) => isRoutineVisible(visible, candidate)).sort(compareRoutines);
  const signatures = shown.length === 0 ? [displayName(name)] : shown.map(printSignature);
  return fail({ kind: 'routineAmbiguous', signatures });
}

function acceptsNames(search: OverloadSearch): (routine: Routine) => boolean {
  const names = new Set(search.argumentNames);
  return ({ parameters }) => {
    if (parameters.length === 0) return names.size === 0 && rawTypeOf(search) === undefined;
    // The empty name belongs to an unnamed parameter, to which GET cannot pass a value.
    const taken = parameters.filter(({ name }) => names.has(name) && (name !== '' || search.method === 'post'));
    return taken.length === names.size && parameters.every(({ name, isRequired }) => !isRequired || names.has(name));
  };
}

function acceptsBody({ method, contentType }: OverloadSearch): (routine: Routine) => boolean {
  return ({ parameters: [parameter, ...others] }) =>
    method === 'post' &&
    others.length === 0 &&
    parameter?.name === '' &&
    bodyTypesOf(contentType).includes(parameter.type);
}

function acceptsSingleJson({ parameters: [parameter, ...others] }: Routine): boolean {
  return parameter !== undefined && others.length === 0 && bodyTypesOf('json').includes(parameter.type);
}

/** Returns the types of a single unnamed parameter that can receive the whole body. */
function bodyTypesOf(contentType: PayloadFormat): readonly string[] {
  return FORMATS[contentType].body.parameterTypes;
}

function rawTypeOf({ method, contentType }: OverloadSearch): RawParameterType | undefined {
  return method === 'post' && isRawFormat(contentType) ? FORMATS[contentType].body.parameterTypes[0] : undefined;
}

function notFound(search: OverloadSearch, overloads: readonly Routine[]): ApiError {
  const { name: routine, method, contentType } = search;
  if (search.singleObject) {
    return { kind: 'routineNotFound', routine, search: { kind: 'singleObject' }, suggestion: undefined };
  }
  const type = rawTypeOf(search);
  if (type !== undefined) {
    return { kind: 'routineNotFound', routine, search: { kind: 'rawBody', type }, suggestion: undefined };
  }
  const names = sortedNames(search.argumentNames);
  const orWholeJson = method === 'post' && contentType === 'json';
  return {
    kind: 'routineNotFound',
    routine,
    search: { kind: 'arguments', names, orWholeJson },
    suggestion: suggestRoutine(search, names, overloads),
  };
}

function suggestRoutine(
  { cache, visible, name: { schema, name } }: OverloadSearch,
  argumentNames: readonly string[],
  overloads: readonly Routine[],
): string | undefined {
  if (overloads.length === 0) {
    const known = cache.routines.get(schema) ?? new Map<string, readonly Routine[]>();
    const isVisible = (other: string): boolean =>
      (known.get(other) ?? []).some((routine) => isRoutineVisible(visible, routine));
    return suggest(known, name, { minimum: MINIMUM_NAME_SIMILARITY, isVisible });
  }
  const lists = overloads.map(({ parameters }) =>
    printNames(sortedNames(parameters.map((parameter) => parameter.name))),
  );
  const best = suggest(lists, printNames(argumentNames), { minimum: MINIMUM_PARAMETER_SIMILARITY });
  return best === undefined ? undefined : `${name}${best}`;
}

function printNames(names: readonly string[]): string {
  return `(${names.join(', ')})`;
}

function printSignature({ name, parameters }: Routine): string {
  return `${displayName(name)}(${parameters.map((parameter) => `${parameter.name} => ${parameter.type}`).join(', ')})`;
}

/** The order in which ambiguous overloads are listed. */
function compareRoutines(a: Routine, b: Routine): number {
  return (
    a.parameters.length - b.parameters.length ||
    compareCodePoints(a.comment ?? '', b.comment ?? '') ||
    compareParameters(a.parameters, b.parameters)
  );
}

function compareParameters(a: readonly RoutineParameter[], b: readonly RoutineParameter[]): number {
  for (const [index, parameter] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareCodePoints(parameter.name, other.name) || compareCodePoints(parameter.type, other.type);
    if (order !== 0) return order;
  }
  return 0;
}

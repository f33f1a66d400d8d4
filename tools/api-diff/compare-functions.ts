// Compares the functions that requests can call.
import type { QualifiedName } from '../../src/contract/identifiers.ts';
import {
  findRelation,
  findRoutines,
  type Routine,
  type RoutineParameter,
  type RoutineResult,
} from '../../src/catalog/schema-cache.ts';
import { resolveCall } from '../support/resolve-call.ts';
import { type Api, mayCall, mayUse, rolesThat } from './api.ts';
import { type Change, type ChangeDetails, type ChangeKind, createChange } from './change.ts';
import { diffLabels, listValues } from './compare-columns.ts';
import { compareTypes, labelsOf, printTypeChange } from './compare-types.ts';
import { intersect, type Sides } from './sides.ts';

export function compareFunctions(sides: Sides): readonly Change[] {
  return sides.old.schemas
    .concat(sides.new.schemas.filter((schema) => !sides.old.schemas.includes(schema)))
    .flatMap((schema) => {
      const names = new Set([...namesOf(sides.old, schema), ...namesOf(sides.new, schema)]);
      return [...names].flatMap((name) => {
        const [old, current] = [
          findRoutines(sides.old.cache, { schema, name }),
          findRoutines(sides.new.cache, { schema, name }),
        ];
        return compareOverloads(sides, old, current);
      });
    });
}

function namesOf({ cache }: Api, schema: string): Iterable<string> {
  return cache.routines.get(schema)?.keys() ?? [];
}

function compareOverloads(sides: Sides, old: readonly Routine[], current: readonly Routine[]): readonly Change[] {
  const { pairs, removed, added } = pairOverloads(old, current);
  return [
    ...pairs.flatMap(([before, after]) => compareRoutine(sides, before, after)),
    ...removed.flatMap((routine) => {
      const roles = callersOf(sides.old, routine);
      return report('function-removed', routine, { roles, message: 'the function is gone', uses: call() });
    }),
    ...added.flatMap((routine) => {
      const roles = callersOf(sides.new, routine);
      return report('function-added', routine, { roles, message: 'the function is new', uses: { kind: 'nothing' } });
    }),
  ];
}

interface PairedOverloads {
  readonly pairs: readonly (readonly [old: Routine, current: Routine])[];
  readonly removed: readonly Routine[];
  readonly added: readonly Routine[];
}

/** Pairs equal signatures first, then those that have the most arguments in common. */
function pairOverloads(old: readonly Routine[], current: readonly Routine[]): PairedOverloads {
  const candidates = old.flatMap((before) =>
    current.map((after) => ({ before, after, similarity: compareSignatures(before, after) })),
  );
  const pairs: (readonly [Routine, Routine])[] = [];
  const taken = new Set<Routine>();
  for (const { before, after } of candidates.toSorted((a, b) => b.similarity - a.similarity)) {
    if (taken.has(before) || taken.has(after)) continue;
    taken.add(before).add(after);
    pairs.push([before, after]);
  }
  const isLeft = (routine: Routine): boolean => !taken.has(routine);
  return { pairs, removed: old.filter(isLeft), added: current.filter(isLeft) };
}

function compareSignatures(before: Routine, after: Routine): number {
  if (signatureOf(before) === signatureOf(after)) return Infinity;
  const shared = before.parameters.filter(({ name }) => after.parameters.some((other) => other.name === name));
  const different = before.parameters.length + after.parameters.length - 2 * shared.length;
  return shared.length - different / 100;
}

function callersOf(api: Api, routine: Routine): readonly string[] {
  return rolesThat(api, (access) => mayCall(access, routine));
}

function signatureOf({ parameters }: Routine): string {
  return `(${parameters.map(({ name, type }) => (name === '' ? type : `${name} ${type}`)).join(', ')})`;
}

function call(argument?: string): {
  readonly kind: 'call';
  readonly argument: string | undefined;
  readonly isGet: false;
} {
  return { kind: 'call', argument, isGet: false };
}

type FunctionDetails = Omit<ChangeDetails, 'schema' | 'path' | 'signature'>;

/** @param routine the old one, unless it is new */
function report(kind: ChangeKind, routine: Routine, details: FunctionDetails): readonly Change[] {
  if (details.roles.length === 0) return [];
  const { schema, name } = routine.name;
  return [createChange(kind, { ...details, schema, path: `/rpc/${name}`, signature: signatureOf(routine) })];
}

function compareRoutine(sides: Sides, before: Routine, after: Routine): readonly Change[] {
  const [could, can] = [callersOf(sides.old, before), callersOf(sides.new, after)];
  const roles = intersect(could, can);
  const found: Found = (kind, message, details = {}) =>
    report(kind, before, { roles, message, uses: call(details.name), ...details });
  const changes = [
    ...compareParameters([before, after], sides, found),
    ...compareResults(sides, [before.result, after.result], found, roles),
    ...compareVolatility(before, after, found),
  ];
  const lost = could.filter((role) => !can.includes(role));
  const gained = can.filter((role) => !could.includes(role));
  const isBroken = changes.some(({ level }) => level === 'breaking');
  return [
    ...changes,
    ...(isBroken || isStillCallable(sides, before)
      ? []
      : found('function-removed', 'calls fit several functions of this name now')),
    ...report('privilege-lost', before, {
      privilege: 'execute',
      roles: lost,
      message: 'execute is not allowed any more',
      uses: call(),
    }),
    ...report('privilege-gained', before, {
      privilege: 'execute',
      roles: gained,
      message: 'execute is allowed now',
      uses: { kind: 'nothing' },
    }),
  ];
}

type Found = (
  kind: ChangeKind,
  message: string,
  details?: Partial<Pick<ChangeDetails, 'name' | 'level' | 'uses' | 'roles'>>,
) => readonly Change[];

/** Whether calls with all arguments, and with those it requires, lead to a function as before. */
function isStillCallable({ old, new: current }: Sides, { name, parameters }: Routine): boolean {
  const calls = [parameters, parameters.filter(({ isRequired }) => isRequired)].map((list) =>
    list.map((one) => one.name),
  );
  return calls.every(
    (argumentNames) =>
      !resolveCall(old.cache, name, argumentNames).ok || resolveCall(current.cache, name, argumentNames).ok,
  );
}

function compareParameters(
  [before, after]: readonly [Routine, Routine],
  sides: Sides,
  found: Found,
): readonly Change[] {
  const changes: Change[] = [];
  const matched = new Set<RoutineParameter>();
  for (const [index, parameter] of before.parameters.entries()) {
    const same = after.parameters.find(
      (other, at) => other.name === parameter.name && (other.name !== '' || at === index),
    );
    const other = same ?? findRenamed(before, after, index);
    if (other === undefined) {
      const name = parameter.name || undefined;
      changes.push(...found('argument-removed', `${printArgument(parameter)} is gone`, { name }));
      continue;
    }
    matched.add(other);
    if (same === undefined)
      changes.push(
        ...found(
          'argument-renamed',
          `${printArgument(parameter)} ${other.name === '' ? 'has no name' : `is called ${other.name}`} now`,
          {
            name: parameter.name,
          },
        ),
      );
    changes.push(...compareParameter([parameter, other], sides, found));
  }
  for (const parameter of after.parameters.filter((other) => !matched.has(other)))
    changes.push(...describeAdded(parameter, found));
  return changes;
}

/** The parameter at the same place with the same type is the same under another name. */
function findRenamed(before: Routine, after: Routine, index: number): RoutineParameter | undefined {
  const [parameter, other] = [before.parameters[index], after.parameters[index]];
  if (parameter === undefined || other === undefined || parameter.type !== other.type) return undefined;
  return before.parameters.some(({ name }) => name === other.name) ? undefined : other;
}

function compareParameter(
  [before, after]: readonly [RoutineParameter, RoutineParameter],
  sides: Sides,
  found: Found,
): readonly Change[] {
  const name = before.name || undefined;
  const changes: Change[] = [];
  const types = before.isVariadic === after.isVariadic ? compareTypes(before.type, after.type, sides) : 'changed';
  if (types !== 'same') {
    const change =
      before.isVariadic === after.isVariadic
        ? printTypeChange(before.type, after.type, sides)
        : `${printParameterType(before)} to ${printParameterType(after)}`;
    const message = `the type of ${printArgument(before)} changes from ${change}`;
    changes.push(...found('argument-type-changed', message, { name, ...(types === 'wider' && { level: 'risky' }) }));
  }
  const { removed } = diffLabels(labelsOf(before.type, sides.old), labelsOf(after.type, sides.new));
  if (removed.length > 0) {
    const uses = { kind: 'values', values: removed } as const;
    changes.push(
      ...found('enum-value-removed', `${printArgument(before)} cannot be ${listValues(removed)} any more`, {
        name,
        uses,
      }),
    );
  }
  if (!before.isRequired && after.isRequired)
    changes.push(
      ...found('argument-became-required', `a call must give ${printArgument(before)}`, {
        name,
        uses: { kind: 'missing', name: before.name },
      }),
    );
  return changes;
}

/** The argument of a function that takes the whole body has no name. */
function printArgument({ name }: Pick<RoutineParameter, 'name'>): string {
  return name === '' ? 'the argument without a name' : `the argument ${name}`;
}

function printParameterType({ type, isVariadic }: RoutineParameter): string {
  return isVariadic ? `variadic ${type}` : type;
}

function describeAdded({ name, isRequired, isVariadic }: RoutineParameter, found: Found): readonly Change[] {
  return isRequired && !isVariadic
    ? found(
        'argument-added-required',
        `a call must give ${name === '' ? 'a new argument without a name' : `the new argument ${name}`}`,
        {
          name: name || undefined,
          uses: call(),
        },
      )
    : found('argument-added-optional', `${printArgument({ name })} is new`, {
        name: name || undefined,
        uses: { kind: 'nothing' },
      });
}

function compareVolatility(before: Routine, after: Routine, found: Found): readonly Change[] {
  if (before.volatility === 'volatile' || after.volatility !== 'volatile') return [];
  return found('volatility-changed', 'the function is volatile now: GET is not allowed any more', {
    uses: { kind: 'call', argument: undefined, isGet: true },
  });
}

type Results = readonly [before: RoutineResult, after: RoutineResult];

/** @param roles that may call the function before and after */
function compareResults(
  sides: Sides,
  [before, after]: Results,
  foundFor: Found,
  roles: readonly string[],
): readonly Change[] {
  const callers =
    before.kind === 'composite' && after.kind === 'composite' && before.isSet === after.isSet
      ? roles.filter((role) => !isSameRoute(sides, [before, after], role))
      : roles;
  if (callers.length === 0) return [];
  const found: Found = (kind, message, details) => foundFor(kind, message, { roles: callers, ...details });
  const changed = (): readonly Change[] =>
    found('result-changed', `the result changes from ${printResults(sides, [before, after])}`, { uses: call() });
  if (before.kind === 'void' || after.kind === 'void') return before.kind === after.kind ? [] : changed();
  if (before.kind !== after.kind || before.isSet !== after.isSet) return changed();
  if (before.kind === 'scalar' || after.kind === 'scalar') {
    const isSame = compareTypes(before.type, after.type, sides) === 'same';
    return isSame
      ? compareResultLabels(undefined, [labelsOf(before.type, sides.old), labelsOf(after.type, sides.new)], found)
      : changed();
  }
  const [fields, newFields] = [fieldsOf(sides.old, before), new Map(fieldsOf(sides.new, after))];
  const isKept = fields.every(([name, type]) => {
    const other = newFields.get(name);
    return other !== undefined && compareTypes(type, other, sides) === 'same';
  });
  if (!isKept) return changed();
  const labels = fields.flatMap(([name, type]) => {
    const newLabels = labelsOf(newFields.get(name) ?? type, sides.new);
    return compareResultLabels(name, [labelsOf(type, sides.old), newLabels], found);
  });
  const known = new Set(fields.map(([name]) => name));
  const added = [...newFields].filter(([name]) => !known.has(name));
  return [
    ...labels,
    ...added.flatMap(([name, type]) =>
      found('column-added', `column ${name} of type ${type} is new`, { name, uses: { kind: 'nothing' } }),
    ),
  ];
}

type Composite = Extract<RoutineResult, { readonly kind: 'composite' }>;

/** Whether both are rows of one route that the role may read: they are compared there. */
function isSameRoute(
  { old, new: current }: Sides,
  [{ rowType: before }, { rowType: after }]: readonly [Composite, Composite],
  role: string,
): boolean {
  if (before === undefined || after === undefined) return false;
  const isSame = before.schema === after.schema && before.name === after.name;
  return isSame && mayReadRoute(old, before, role) && mayReadRoute(current, after, role);
}

function mayReadRoute(api: Api, name: QualifiedName, role: string): boolean {
  const relation = findRelation(api.cache, name);
  const access = api.roles.get(role);
  if (relation === undefined || access === undefined || !api.schemas.includes(name.schema)) return false;
  return mayUse(access, relation, 's');
}

function fieldsOf({ types }: Api, { type, outColumns }: Composite): readonly (readonly [name: string, type: string])[] {
  return outColumns.length > 0 ? outColumns : (types.get(type)?.fields ?? []);
}

/** A reader of a result need not send its values, so that only new ones matter. */
function compareResultLabels(
  name: string | undefined,
  [before, after]: readonly [readonly string[], readonly string[]],
  found: Found,
): readonly Change[] {
  const { added } = diffLabels(before, after);
  const message = `${name ?? 'the result'} can be ${listValues(added)}`;
  return added.length === 0 ? [] : found('enum-value-added', message, { name, uses: call() });
}

function printResults(sides: Sides, [before, after]: Results): string {
  const [from, to] = [printResult(before), printResult(after)];
  if (from !== to || before.kind === 'void' || after.kind === 'void') return `${from} to ${to}`;
  return printTypeChange(before.type, after.type, sides);
}

function printResult(result: RoutineResult): string {
  if (result.kind === 'void') return 'nothing';
  const { isSet, type } = result;
  const isTable = result.kind === 'composite' && result.outColumns.length > 0;
  const text = isTable ? `(${result.outColumns.map(([name, each]) => `${name} ${each}`).join(', ')})` : type;
  return isSet ? `rows of ${text}` : text;
}

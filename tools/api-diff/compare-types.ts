// Compares two types by the JSON of their values (`project.md` §3 item 5): the same, wider, or different for clients.
import { BUILT_IN_TYPES } from '../../src/contract/built-in-types.ts';
import type { Api, TypeFacts } from './api.ts';

/**
 * `wider`: every value of the old type is one of the new type, with the same type in JSON. `changed`: another type in
 * JSON, or values that no longer fit.
 */
export type TypeChange = 'same' | 'wider' | 'changed';

export interface TypedSide {
  readonly types: Api['types'];
  readonly cache: Pick<Api['cache'], 'representations'>;
}

/** @param oldType as in `Column.nominalType`: qualified, with modifiers */
export function compareTypes(
  oldType: string,
  newType: string,
  sides: Readonly<Record<'old' | 'new', TypedSide>>,
): TypeChange {
  return new TypeComparison(sides).compare(oldType, newType);
}

/** Returns the labels of an enum, of a domain over one, of the elements of an array, or of the fields of a row type. */
export function labelsOf(type: string, { types }: Pick<TypedSide, 'types'>): readonly string[] {
  const found = new Set<string>();
  // A row type may contain arrays of itself.
  const seen = new Set<string>();
  const collect = (each: string): void => {
    if (each.endsWith('[]')) return collect(each.slice(0, -2));
    const facts = types.get(each);
    if (facts === undefined || seen.has(each)) return;
    seen.add(each);
    for (const label of facts.labels) found.add(label);
    for (const inner of [facts.base ?? '', ...facts.fields.map(([, field]) => field)]) collect(inner);
  };
  collect(type);
  return [...found];
}

/** Returns the definitions of the constraints of a domain and of the domains it is based on. */
export function checksOf(type: string, types: Api['types']): readonly string[] {
  const facts = types.get(type);
  return facts?.kind === 'domain' ? [...facts.checks, ...checksOf(facts.base ?? '', types)] : [];
}

/** Prints a change of a type; one that keeps its name, such as that of a domain, with what it is made of. */
export function printTypeChange(
  oldType: string,
  newType: string,
  sides: Readonly<Record<'old' | 'new', TypedSide>>,
): string {
  if (oldType !== newType) return `${oldType} to ${newType}`;
  return `${describeType(oldType, sides.old)} to ${describeType(newType, sides.new)}`;
}

function describeType(type: string, { types }: Pick<TypedSide, 'types'>): string {
  const facts = types.get(type.replace(/(?:\[\])+$/u, ''));
  const fields = facts?.fields.map(([name, each]) => `${name} ${each}`).join(', ');
  return facts === undefined ? type : `${type} (${facts.base ?? fields ?? ''})`;
}

class TypeComparison {
  readonly #sides: Readonly<Record<'old' | 'new', TypedSide>>;
  /** Pairs under comparison: a row type may contain arrays of itself. */
  readonly #open = new Set<string>();

  constructor(sides: Readonly<Record<'old' | 'new', TypedSide>>) {
    this.#sides = sides;
  }

  compare(oldType: string, newType: string): TypeChange {
    const key = JSON.stringify([oldType, newType]);
    if (this.#open.has(key)) return 'same';
    this.#open.add(key);
    const change = this.#compare(oldType, newType);
    this.#open.delete(key);
    return change;
  }

  #compare(oldType: string, newType: string): TypeChange {
    const { old: oldSide, new: newSide } = this.#sides;
    if (isRepresented(oldType, oldSide) || isRepresented(newType, newSide)) {
      // What a representation makes of a value is known only to its function.
      return oldType === newType && isRepresented(oldType, oldSide) === isRepresented(newType, newSide)
        ? 'same'
        : 'changed';
    }
    const [oldFacts, newFacts] = [oldSide.types.get(oldType), newSide.types.get(newType)];
    if (oldFacts?.kind === 'domain') return this.compare(oldFacts.base ?? '', newType);
    if (newFacts?.kind === 'domain') return this.compare(oldType, newFacts.base ?? '');
    if (oldType.endsWith('[]') && newType.endsWith('[]'))
      return this.compare(oldType.slice(0, -2), newType.slice(0, -2));
    if (oldFacts === undefined && newFacts === undefined) return compareBuiltIn(oldType, newType);
    if (oldFacts?.kind === 'enum' && newFacts?.kind === 'enum') return 'same';
    if (oldFacts?.kind === 'composite' && newFacts?.kind === 'composite')
      return this.#compareFields(oldFacts, newFacts);
    if (oldFacts?.kind === 'enum') return isAnyText(parseType(newType)) ? 'wider' : 'changed';
    return oldType === newType ? 'same' : 'changed';
  }

  #compareFields({ fields: oldFields }: TypeFacts, { fields: newFields }: TypeFacts): TypeChange {
    const added = new Map(newFields);
    const changes = oldFields.map(([name, type]): TypeChange => {
      const found = added.get(name);
      added.delete(name);
      return found === undefined ? 'changed' : this.compare(type, found);
    });
    if (changes.some((change) => change === 'changed')) return 'changed';
    return added.size > 0 || changes.some((change) => change === 'wider') ? 'wider' : 'same';
  }
}

function compareBuiltIn(oldType: string, newType: string): TypeChange {
  if (oldType === newType) return 'same';
  const [from, to] = [parseType(oldType), parseType(newType)];
  return jsonTypeOf(from) === jsonTypeOf(to) && isWider(from, to) ? 'wider' : 'changed';
}

function isRepresented(type: string, { cache }: TypedSide): boolean {
  return cache.representations.get(type)?.has('json') ?? false;
}

interface BuiltInType {
  /** Without modifiers. */
  readonly name: string;
  readonly modifiers: readonly number[];
}

/** `numeric(8,2)`, `timestamp(3) without time zone` */
function parseType(text: string): BuiltInType {
  const [, before = text, modifiers = '', after = ''] = /^(.*?)\(([\d,-]+)\)(.*)$/u.exec(text) ?? [];
  return { name: before + after, modifiers: modifiers === '' ? [] : modifiers.split(',').map(Number) };
}

function jsonTypeOf({ name }: BuiltInType): 'number' | 'boolean' | 'array' | 'any' | 'string' {
  if (name.endsWith('[]')) return 'array';
  const json = BUILT_IN_TYPES.get(name)?.json ?? 'string';
  return json === 'integer' ? 'number' : json;
}

/** Types without modifiers whose values all fit into the types listed. Text is handled apart. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  smallint: ['integer', 'bigint', 'numeric', 'real', 'double precision'],
  integer: ['bigint', 'numeric', 'double precision'],
  bigint: ['numeric'],
  real: ['double precision'],
  json: ['jsonb'],
  jsonb: ['json'],
  date: ['timestamp without time zone', 'timestamp with time zone'],
  'timestamp without time zone': ['timestamp with time zone'],
  'time without time zone': ['time with time zone'],
  cidr: ['inet'],
  macaddr: ['macaddr8'],
  '"char"': ['name'],
  character: ['character varying'],
};

const DIGITS: Readonly<Record<string, number>> = { smallint: 5, integer: 10, bigint: 19 };

/** The precision of times without a modifier. */
const DEFAULT_PRECISION = 6;

/** Both have the same type in JSON. */
function isWider(from: BuiltInType, to: BuiltInType): boolean {
  if (isAnyText(to)) return true;
  if (to.name === 'numeric') return fitsNumeric(from, to);
  if (from.name !== to.name && !(WIDER[from.name] ?? []).includes(to.name)) return false;
  const [fromSize, toSize] = [from.modifiers[0], to.modifiers[0]];
  if (/^(?:time|interval)/u.test(to.name)) return (toSize ?? DEFAULT_PRECISION) >= precisionOf(from);
  if (to.name === 'bit') return fromSize === toSize;
  return toSize === undefined || (fromSize !== undefined && toSize >= fromSize);
}

function precisionOf({ name, modifiers }: BuiltInType): number {
  return name === 'date' ? 0 : (modifiers[0] ?? DEFAULT_PRECISION);
}

function isAnyText({ name, modifiers }: BuiltInType): boolean {
  return (name === 'text' || name === 'character varying' || /(?:^|\.)citext$/u.test(name)) && modifiers.length === 0;
}

function fitsNumeric({ name, modifiers }: BuiltInType, to: BuiltInType): boolean {
  if (name !== 'numeric' && DIGITS[name] === undefined) return false;
  const [toPrecision, toScale = 0] = to.modifiers;
  if (toPrecision === undefined) return true;
  const [precision = DIGITS[name], scale = 0] = modifiers;
  return precision !== undefined && toScale >= scale && toPrecision - toScale >= precision - scale;
}

// Renders a PostgreSQL type as the TypeScript type of its JSON values in requests and responses, without null.
import { assertNever } from '../../src/contract/result.ts';
import { BUILT_IN_TYPES } from '../../src/contract/built-in-types.ts';
import type { SchemaCache } from '../../src/catalog/schema-cache.ts';
import { forbidsNull, type CompositeType, type EnumType, type PgType } from './pg-type.ts';
import { compareCodePoints } from '../../src/util/code-points.ts';
import type { TypegenFacts } from './typegen-facts.ts';
import { allowNull, renderArray, renderLiteral, renderObject, renderUnion } from './typescript.ts';

export interface TypegenContext {
  readonly cache: SchemaCache;
  readonly facts: TypegenFacts;
  /** In the order of the configuration. */
  readonly schemas: readonly string[];
  /** Whether arguments and results of functions include null where PostgreSQL allows it. */
  readonly areFunctionsExact: boolean;
}

/** `output`: in a response; `input`: in a body or argument. They differ for domains with casts. */
export type Direction = 'output' | 'input';

/** As rendered by `row_to_json`. Types that are in neither map are strings. */
const BY_JSON = { integer: 'number', number: 'number', boolean: 'boolean', any: 'Json', string: undefined } as const;
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ['record', 'Record<string, unknown>'],
  ['void', 'undefined'],
]);

export function renderType(type: string, direction: Direction, context: TypegenContext): string {
  if (isRepresentedAsJson(type, direction, context.cache)) return 'Json';
  const builtIn = BY_NAME.get(type) ?? BY_JSON[BUILT_IN_TYPES.get(type)?.json ?? 'string'];
  if (builtIn !== undefined) return builtIn;
  const found = context.facts.types.get(type);
  return found === undefined ? 'string' : renderFound(found, direction, context);
}

/** Includes null unless the type itself forbids it. */
export function renderNullableType(type: string, direction: Direction, context: TypegenContext): string {
  const rendered = renderType(type, direction, context);
  return forbidsNull(type, context.facts.types) ? rendered : allowNull(rendered);
}

/**
 * Renders an argument or result. Omits null, as code in the client's ecosystem expects, unless exact types are enabled.
 */
export function renderFunctionType(type: string, direction: Direction, context: TypegenContext): string {
  return context.areFunctionsExact
    ? renderNullableType(type, direction, context)
    : renderType(type, direction, context);
}

export function renderEnum(type: EnumType): string {
  return renderUnion(type.labels.map(renderLiteral));
}

/**
 * Every field may be null, because PostgreSQL enforces no constraints on values of row types. Sorted by name, as the
 * columns of relations are.
 */
export function renderFields(type: CompositeType, direction: Direction, context: TypegenContext): string {
  return renderObject(
    type.fields
      .toSorted(([left], [right]) => compareCodePoints(left, right))
      .map(([name, field]) => ({ name, type: allowNull(renderType(field, direction, context)) })),
  );
}

/** `Database["api"]["Enums"]["topic"]` */
export function renderReference(...path: readonly string[]): string {
  return `Database${path.map((name) => `[${renderLiteral(name)}]`).join('')}`;
}

function isRepresentedAsJson(type: string, direction: Direction, { representations }: SchemaCache): boolean {
  return direction === 'output'
    ? representations.get(type)?.has('json') === true
    : representations.get('json')?.has(type) === true;
}

function renderFound(type: PgType, direction: Direction, context: TypegenContext): string {
  switch (type.kind) {
    case 'array':
      return renderArray(renderType(type.element, direction, context));
    case 'domain':
      return renderType(type.base, direction, context);
    case 'enum':
      return isExposed(type, context) ? renderReference(type.name.schema, 'Enums', type.name.name) : renderEnum(type);
    case 'composite':
      return isExposed(type, context) && !type.isRelation
        ? renderReference(type.name.schema, 'CompositeTypes', type.name.name)
        : renderFields(type, direction, context);
    case 'json':
      return 'Json';
    case 'pseudo':
      return 'unknown';
    default:
      return assertNever(type);
  }
}

function isExposed({ name }: EnumType | CompositeType, { schemas }: TypegenContext): boolean {
  return schemas.includes(name.schema);
}

// Reads a complete description of the schema of a database from the catalogs, and compares two of them (`project.md` §3 item
// 3). It shares nothing with the library that plans changes: it is the second opinion about every plan. What the library
// does not follow, it sets itself where one statement does it.
import { isJsonObject } from '../../../../src/util/json-object.ts';
import type { SqlClient } from '../../../embedded/script/sql-session.ts';
import { COLUMN_FACTS } from './column-facts.ts';
import { COMMON_TABLES, renderQuery } from './fact-query.ts';
import { OBJECT_FACTS } from './object-facts.ts';
import { PRIVILEGE_FACTS } from './privilege-facts.ts';
import { PROGRAM_FACTS } from './program-facts.ts';
import { RELATION_FACTS } from './relation-facts.ts';
import { TYPE_FACTS } from './type-facts.ts';

/** One property of one object, or that the object exists. What has its default value is no fact. */
export interface CatalogFact {
  /** For a person, and unique: `storage of column api.orders.note`. */
  readonly name: string;
  readonly value: string;
  /** Whether the server prints the value from what it has parsed, so that versions differ in it. */
  readonly isPrinted: boolean;
  /** Whether the fact is that an object exists, which `set` creates and `reset` drops. */
  readonly isObject: boolean;
  /** Statements that set it, if there are any that no plan of the library contains. */
  readonly set: readonly string[] | null;
  readonly reset: readonly string[] | null;
}

export interface Catalog {
  /** By name, containers before what they contain. */
  readonly facts: ReadonlyMap<string, CatalogFact>;
  /** Major version of PostgreSQL. */
  readonly version: number;
  /** The oldest version among those that are compared: what it does not have is left out. */
  readonly oldest: number;
}

/** Something that differs between two catalogs. */
export interface CatalogDifference {
  readonly name: string;
  readonly kind: 'missing' | 'surplus' | 'different';
  /** What makes the first catalog equal the second in this; none if that is unknown. */
  readonly statements: readonly string[];
  /** Whether the statements create or drop an object that the library does not follow. */
  readonly isObject: boolean;
}

const QUERIES = [
  ...OBJECT_FACTS,
  ...TYPE_FACTS,
  ...RELATION_FACTS,
  ...COLUMN_FACTS,
  ...PROGRAM_FACTS,
  ...PRIVILEGE_FACTS,
];

const MADE = new Map<number, string>();

function queryFor(version: number): string {
  const known = MADE.get(version);
  if (known !== undefined) return known;
  const parts = QUERIES.flatMap((query, rank) => {
    const [first, last] = query.versions ?? [0, Infinity];
    return version < first || version > last ? [] : [renderQuery(query, rank)];
  });
  const text = `with ${COMMON_TABLES}\n${parts.join('\nunion all\n')}\norder by rank, name`;
  MADE.set(version, text);
  return text;
}

const MAINTAIN_VERSION = 17;

/** Names are qualified unless PostgreSQL itself contains what they name. */
const SETTINGS = `set local search_path to ''; set local jit to off; set local plan_cache_mode to force_generic_plan`;

/** Returns the major version of PostgreSQL. */
export async function readVersion(client: SqlClient): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  );
  return rows[0]?.version ?? 0;
}

export interface CatalogReading {
  /** Whether the client is in a transaction, which then stays as it is. */
  readonly isInTransaction: boolean;
  /** As in `Catalog`; by default the version of the server. */
  readonly oldest?: number;
}

export async function readCatalog(
  client: SqlClient,
  { isInTransaction, oldest = Infinity }: CatalogReading,
): Promise<Catalog> {
  await client.query(`${isInTransaction ? 'savepoint catalog' : 'begin read only'}; ${SETTINGS}`);
  try {
    const version = await readVersion(client);
    const text = queryFor(version);
    const values = [oldest < MAINTAIN_VERSION ? ['MAINTAIN'] : []];
    // Most sessions read it more than once: named, it is planned once.
    const { rows } = await client.query<CatalogFact>({ name: 'rowhouse_catalog', text, values });
    return { facts: new Map(rows.map((fact) => [fact.name, fact])), version, oldest: Math.min(version, oldest) };
  } finally {
    await client.query(isInTransaction ? 'rollback to savepoint catalog; release savepoint catalog' : 'rollback');
  }
}

/**
 * @returns what the first lacks, has too much or has otherwise, each with the statements that change it, in their order.
 *   What servers print is compared only if both have the same version.
 */
export function compareCatalogs(from: Catalog, to: Catalog): readonly CatalogDifference[] {
  const isSameVersion = from.version === to.version;
  const isEqual = (a: CatalogFact, b: CatalogFact): boolean =>
    a.value === b.value || (!isSameVersion && (a.isPrinted || b.isPrinted));
  const surplus = [...from.facts.values()].filter(({ name }) => !to.facts.has(name)).reverse();
  const dropped = surplus.filter(({ isObject }) => isObject).map(({ name }) => ` of ${name}`);
  const isDropped = ({ name }: CatalogFact): boolean => dropped.some((end) => name.endsWith(end));
  const others = [...to.facts.values()].flatMap((fact): readonly CatalogDifference[] => {
    const before = from.facts.get(fact.name);
    if (before === undefined) return [describe(fact, 'missing', [fact.set])];
    if (isEqual(before, fact)) return [];
    return [describe(fact, 'different', fact.isObject ? [before.reset, fact.set] : [fact.set])];
  });
  // What belongs to an object disappears with it.
  return [...surplus.map((fact) => describe(fact, 'surplus', isDropped(fact) ? [null] : [fact.reset])), ...others];
}

function describe(
  { name, isObject }: CatalogFact,
  kind: CatalogDifference['kind'],
  parts: readonly (readonly string[] | null)[],
): CatalogDifference {
  return { name, kind, statements: parts.includes(null) ? [] : parts.flatMap((part) => part ?? []), isObject };
}

const GRANTEE = /^privileges of (?<role>"(?:[^"]|"")+"|\S+) on /u;

/** Returns the names of the roles that have privileges. */
export function listCatalogRoles({ facts }: Catalog): readonly string[] {
  const roles = [...facts.keys()].flatMap((name) => GRANTEE.exec(name)?.groups?.['role'] ?? []);
  const names = roles.map((role) => (role.startsWith('"') ? role.slice(1, -1).replaceAll('""', '"') : role));
  return [...new Set(names)].filter((name) => name !== 'public');
}

/** Returns a value for `JSON.stringify`. */
export function renderCatalog({ facts, version }: Catalog): object {
  return { version, facts: [...facts.values()] };
}

/** @throws if the value is not that of `renderCatalog` */
export function parseCatalog(value: object): Catalog {
  const [version, facts]: unknown[] = [Reflect.get(value, 'version'), Reflect.get(value, 'facts')];
  if (typeof version !== 'number' || !Array.isArray(facts) || !facts.every(isFact))
    throw new Error('its catalog is not complete');
  return { version, oldest: version, facts: new Map(facts.map((fact) => [fact.name, fact])) };
}

function isFact(fact: unknown): fact is CatalogFact {
  if (!isJsonObject(fact)) return false;
  const { name, value, isPrinted, isObject, set, reset } = fact;
  return (
    [name, value].every((text) => typeof text === 'string') &&
    [isPrinted, isObject].every((flag) => typeof flag === 'boolean') &&
    [set, reset].every((list) => list === null || (Array.isArray(list) && list.every((sql) => typeof sql === 'string')))
  );
}

const SHOWN = 10;

/** Names what differs, without what it contains: `column api.t.a, privileges of web_anon on view api.v, and 3 more`. */
export function nameDifferences(differences: readonly Pick<CatalogDifference, 'name'>[]): string {
  const whole = differences.map(({ name }) => name);
  const isPart = (name: string): boolean => whole.some((other) => other !== name && name.endsWith(` of ${other}`));
  const names = whole.filter((name) => !isPart(name));
  const rest = names.length - SHOWN;
  return [...names.slice(0, SHOWN), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}

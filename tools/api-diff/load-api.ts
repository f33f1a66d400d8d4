// Reads an API from a database: the schema cache and the facts of `api.ts`, in one read-only transaction.
import type { CatalogRow, CatalogRows } from '../../src/catalog/catalog-rows.ts';
import { type CatalogScope, catalogStatements } from '../../src/catalog/catalog-statements.ts';
import { buildSchemaCache } from '../../src/catalog/decode.ts';
import { getOrInsert } from '../../src/catalog/maps.ts';
import type { SchemaCache } from '../../src/catalog/schema-cache.ts';
import type { RelationPrivileges } from '../../src/extensions/schema-document/role-details.ts';
import type { SqlClient } from '../embedded/script/sql-session.ts';
import {
  type Api,
  ANYONE,
  type CheckOption,
  type Policy,
  type RoleAccess,
  type RowFunction,
  type TableFacts,
  type TypeFacts,
} from './api.ts';
import { ACCESS_SQL, EXECUTE_SQL, SCHEMAS_SQL, TABLES_SQL, TYPES_SQL } from './api-statements.ts';
import { type ConstraintRow, decodeConstraint, readViewInserts, type ViewInserts } from './view-inserts.ts';

/** The texts of the catalog statements are decoded by the schema cache. */
const AS_TEXT = { getTypeParser: () => (value: unknown) => value };

export const NO_ROWS: CatalogRows = {
  schemas: [],
  relations: [],
  columns: [],
  keys: [],
  uniqueIndexes: [],
  constraintComments: [],
  foreignKeys: [],
  views: [],
  routines: [],
  rowTypes: [],
  representations: [],
  mediaHandlers: [],
  database: [],
  shards: [],
};

/**
 * @param client not in a transaction; its role need not be a member of the web roles
 * @param scope exposed schemas; those that do not exist are left out
 * @param roles web roles; none: privileges do not matter
 * @throws the driver's error if a query fails
 */
export async function loadApi(client: SqlClient, scope: CatalogScope, roles: readonly string[]): Promise<Api> {
  await client.query('begin isolation level repeatable read read only');
  try {
    await client.query(`set local search_path to ''`);
    return await readApi(client, scope, roles);
  } finally {
    await client.query('rollback');
  }
}

/** The API of an empty database. */
export function createEmptyApi(roles: readonly string[]): Api {
  const cache = buildSchemaCache(NO_ROWS);
  const access = { relations: new Map(), visible: { relations: new Map(), routines: new Set<string>() } };
  const names = roles.length === 0 ? [ANYONE] : roles;
  return {
    schemas: [],
    cache,
    roles: new Map(names.map((role) => [role, access])),
    types: new Map(),
    tables: new Map(),
  };
}

async function readApi(client: SqlClient, scope: CatalogScope, roles: readonly string[]): Promise<Api> {
  const existing = await client.query<{ readonly name: string }>(SCHEMAS_SQL, [scope.schemas]);
  const schemas = existing.rows.map(({ name }) => name);
  const cache = buildSchemaCache(await readCatalog(client, { ...scope, schemas }));
  const path = [...schemas, ...scope.extraSearchPath];
  return {
    schemas,
    cache,
    roles: roles.length === 0 ? new Map([[ANYONE, allowAll(cache)]]) : await readAccess(client, path, roles),
    types: await readTypes(client),
    tables: await readTables(client, schemas, path, roles),
  };
}

/** @param client in a transaction with an empty search path */
export async function readCatalog(client: SqlClient, scope: CatalogScope): Promise<CatalogRows> {
  const rows: Record<keyof CatalogRows, readonly CatalogRow[]> = { ...NO_ROWS };
  for (const { name, text, parameters, isNeeded } of catalogStatements(scope)) {
    if (isNeeded?.(rows) === false) continue;
    const query = { text, values: [...parameters], rowMode: 'array' as const, types: AS_TEXT };
    rows[name] = (await client.query<(string | null)[]>(query)).rows;
  }
  return rows;
}

function allowAll({ relations, routines }: SchemaCache): RoleAccess {
  const all = new Map([...relations].map(([schema, names]) => [schema, mapValues(names, () => ALL_PRIVILEGES)]));
  const visible = new Map([...relations].map(([schema, names]) => [schema, mapValues(names, () => 'all' as const)]));
  const oids = [...routines.values()].flatMap((names) => [...names.values()].flat()).map(({ oid }) => oid);
  return { relations: all, visible: { relations: visible, routines: new Set(oids) } };
}

const ALL_PRIVILEGES: RelationPrivileges = { relation: 'siud', columns: undefined };

function mapValues<T, U>(map: ReadonlyMap<string, T>, change: (value: T) => U): Map<string, U> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}

interface AccessRow {
  readonly role: string;
  readonly schema: string;
  readonly name: string;
  readonly letters: string;
  readonly columns: Readonly<Record<string, string>> | null;
}

async function readAccess(
  client: SqlClient,
  path: readonly string[],
  roles: readonly string[],
): Promise<ReadonlyMap<string, RoleAccess>> {
  const relations = await client.query<AccessRow>(ACCESS_SQL, [roles]);
  const routines = await client.query<{ role: string; oids: readonly string[] }>(EXECUTE_SQL, [roles, path]);
  const found = new Map(roles.map((role) => [role, createAccess()]));
  for (const { role, schema, name, letters, columns } of relations.rows) {
    const { relations: privileges, visible } = getOrInsert(found, role, createAccess);
    const byColumn = columns === null ? undefined : new Map(Object.entries(columns));
    const selectable = [...(byColumn ?? [])].filter(([, each]) => each.includes('s')).map(([column]) => column);
    getOrInsert(privileges, schema, () => new Map<string, RelationPrivileges>()).set(name, {
      relation: letters,
      columns: byColumn,
    });
    if (!letters.includes('s')) continue;
    const names = getOrInsert(visible.relations, schema, () => new Map<string, 'all' | ReadonlySet<string>>());
    names.set(name, byColumn === undefined ? 'all' : new Set(selectable));
  }
  for (const { role, oids } of routines.rows)
    for (const oid of oids) getOrInsert(found, role, createAccess).visible.routines.add(oid);
  return found;
}

interface GrowingAccess {
  readonly relations: Map<string, Map<string, RelationPrivileges>>;
  readonly visible: {
    readonly relations: Map<string, Map<string, 'all' | ReadonlySet<string>>>;
    readonly routines: Set<string>;
  };
}

function createAccess(): GrowingAccess {
  return { relations: new Map(), visible: { relations: new Map(), routines: new Set() } };
}

interface TypeRow {
  readonly name: string;
  readonly kind: string;
  readonly base: string | null;
  readonly labels: readonly string[] | null;
  readonly fields: TypeFacts['fields'] | null;
  readonly checks: readonly string[] | null;
}

const TYPE_KINDS: Readonly<Record<string, TypeFacts['kind']>> = { c: 'composite', d: 'domain', e: 'enum' };

async function readTypes(client: SqlClient): Promise<ReadonlyMap<string, TypeFacts>> {
  const { rows } = await client.query<TypeRow>(TYPES_SQL);
  return new Map(
    rows.map(({ name, kind, base, labels, fields, checks }) => [
      name,
      {
        kind: TYPE_KINDS[kind] ?? 'other',
        base: base ?? undefined,
        labels: labels ?? [],
        fields: fields ?? [],
        checks: checks ?? [],
      },
    ]),
  );
}

interface PolicyRow extends Omit<Policy, 'using' | 'check'> {
  readonly using: string | null;
  readonly check: string | null;
}

interface TableRow {
  readonly schema: string;
  readonly name: string;
  readonly policies: readonly PolicyRow[] | null;
  readonly restricted: readonly string[] | null;
  readonly constraints: readonly ConstraintRow[] | null;
  readonly check_option: CheckOption | null;
  readonly computed_by_view: readonly string[] | null;
  readonly row_functions: Readonly<Record<string, RowFunction>> | null;
}

/** Of what is no view that passes inserts on. */
const NO_INSERTS: ViewInserts = { required: new Set(), generated: new Set(), constraints: [] };

async function readTables(
  client: SqlClient,
  schemas: readonly string[],
  path: readonly string[],
  roles: readonly string[],
): Promise<Api['tables']> {
  const { rows } = await client.query<TableRow>(TABLES_SQL, [roles, schemas, path]);
  const inserts = await readViewInserts(client, schemas);
  const tables = new Map<string, Map<string, TableFacts>>();
  for (const row of rows) {
    const { required, generated, constraints } = inserts.get(row.schema)?.get(row.name) ?? NO_INSERTS;
    getOrInsert(tables, row.schema, () => new Map<string, TableFacts>()).set(row.name, {
      restricted: new Set(row.restricted ?? []),
      policies: (row.policies ?? []).map(({ name, command, isPermissive, roles: applied, using, check }) => {
        return { name, command, isPermissive, roles: applied, using: using ?? undefined, check: check ?? undefined };
      }),
      constraints: [...(row.constraints ?? []).map(decodeConstraint), ...constraints],
      checkOption: row.check_option ?? undefined,
      computedByView: new Set([...(row.computed_by_view ?? []), ...generated]),
      requiredByTable: required,
      rowFunctions: new Map(Object.entries(row.row_functions ?? {})),
    });
  }
  return tables;
}

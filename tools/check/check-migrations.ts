// Applies the migrations of a project one by one to an empty database: what each of them loses or breaks without saying
// so, and whether they lead to the state of the folder (`project.md` §6 item 1).
import type { Client } from 'pg';
import type { CatalogScope } from '../../src/catalog/catalog-statements.ts';
import { fail, ok } from '../../src/contract/result.ts';
import type { Api } from '../api-diff/api.ts';
import type { ChangeKind } from '../api-diff/change.ts';
import { compareApis } from '../api-diff/compare-apis.ts';
import { createEmptyApi, loadApi } from '../api-diff/load-api.ts';
import { keyOfTable } from '../api-diff/sides.ts';
import { isNarrower } from '../diff/migration.ts';
import { findRemaining, readState } from '../diff/replica.ts';
import { DEFAULT_OWNER, type ScratchServer } from '../diff/scratch-server.ts';
import { ALONE, applyMigrations } from '../migrate/apply-migrations.ts';
import { describeSameNumbers, type Migration, MIGRATIONS_FOLDER, readMigrations } from '../migrate/read-migrations.ts';
import { SchemaDelta } from '../project/compare/schema-delta.ts';
import { type Outcome, problemOf } from '../project/folder/problem.ts';
import { describeFile, type Finding } from './lints/finding.ts';

export interface MigrationsCheck {
  /** The folder of the project. */
  readonly root: string;
  readonly scratch: ScratchServer;
  /** A database made from the files, whose roles exist in the same cluster. */
  readonly built: Client;
  readonly scope: CatalogScope;
  /** Web roles. */
  readonly roles: readonly string[];
}

type Findings = Outcome<readonly Finding[]>;

/** @returns none if there are no migrations; or why they cannot be applied */
export async function checkMigrations(check: MigrationsCheck): Promise<Findings> {
  const migrations = await readMigrations(check.root);
  if (!migrations.ok || migrations.value.length === 0) return migrations.ok ? ok([]) : migrations;
  const loaded = await SchemaDelta.load();
  if (!loaded.ok) return fail([problemOf(undefined, loaded.error)]);
  const delta = loaded.value;
  return check.scratch.withNewDatabase(async (client) => {
    const applied = await applyEach(client, migrations.value, check);
    if (!applied.ok) return applied;
    const found = ok([
      ...applied.value,
      ...describeSameNumbers(migrations.value).map((line) =>
        describeFile('migrations-same-number', MIGRATIONS_FOLDER, `${line}.`, 'note'),
      ),
    ]);
    const states = { reached: await readState(client, delta), wanted: await readState(check.built, delta) };
    const remaining = await findRemaining(delta, check.scratch, DEFAULT_OWNER, states);
    return remaining === undefined ? found : ok([...found.value, reportOutdated(remaining)]);
  });
}

function reportOutdated(changes: string): Finding {
  const message = `The migrations do not lead to the schema of the folder. ${changes}.`;
  return describeFile('migrations-outdated', MIGRATIONS_FOLDER, message);
}

/** What a migration may lose or break, before and after it. */
interface Snapshot {
  readonly api: Api;
  readonly columns: ReadonlyMap<string, Column>;
}

async function applyEach(client: Client, migrations: readonly Migration[], check: MigrationsCheck): Promise<Findings> {
  const findings: Finding[] = [];
  let before: Snapshot = { api: createEmptyApi(check.roles), columns: new Map() };
  for (const [index, migration] of migrations.entries()) {
    const applied = await applyMigrations(client, migrations.slice(0, index + 1), ALONE);
    if (!applied.ok) return applied;
    // It builds an index, validates a constraint or adds a value, none of which loses or breaks anything.
    if (migration.isBare) continue;
    const { rows } = await client.query<Column>(COLUMNS_SQL);
    const after = {
      api: await loadApi(client, check.scope, check.roles),
      columns: new Map(rows.map((row) => [row.key, row])),
    };
    findings.push(...compareSnapshots(migration, before, after));
    before = after;
  }
  return ok(findings);
}

interface Column {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** Identify the column, whatever its name. */
  readonly key: string;
  readonly tableKey: string;
}

/** The stored columns of all tables. Those of Rowhouse are left out. */
const COLUMNS_SQL = `
  select n.nspname as schema, c.relname as table, a.attname as column,
    pg_catalog.format_type(a.atttypid, a.atttypmod) as type, c.oid || '.' || a.attnum as key, c.oid::text as "tableKey"
  from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind in ('r', 'p') and n.nspname not in ('rowhouse', 'information_schema') and n.nspname !~ '^pg_'
  order by c.oid, a.attnum`;

/** What a line of the migration has to accept. */
interface Unaccepted {
  readonly lint: 'loss-not-accepted' | 'break-not-accepted';
  readonly kind: ChangeKind;
  readonly path: string;
  readonly message: string;
}

function compareSnapshots({ file }: Migration, before: Snapshot, after: Snapshot): readonly Finding[] {
  const accepted = new Set(
    [...file.text.matchAll(ACCEPTED)].map(({ groups }) => `${groups?.['kind']} ${groups?.['path']}`),
  );
  const found = new Map<string, Unaccepted>();
  for (const each of [...listLosses(before, after), ...listBreaks(before, after)])
    if (!accepted.has(`${each.kind} ${each.path}`)) found.set(JSON.stringify(each), each);
  return [...found.values()].map(({ lint, kind, path, message }) => {
    const line = `-- accepted: ${kind} ${path} REASON`;
    return describeFile(lint, file.path, `${message}. If that is intended, state it in the file: ${line}`);
  });
}

const ACCEPTED = /^[ \t]*--[ \t]*accepted:[ \t]*(?<kind>[a-z-]+)[ \t]+(?<path>\/\S+)[ \t]+\S/gmu;

/** Tables, columns and values that are gone, under the names of the changes that clients would notice. */
function listLosses(before: Snapshot, after: Snapshot): readonly Unaccepted[] {
  const tables = new Set([...after.columns.values()].map(({ tableKey }) => tableKey));
  return [...before.columns.values()].flatMap(
    ({ schema, table, column, type, key, tableKey }): readonly Unaccepted[] => {
      const path = `/${table}`;
      const lint = 'loss-not-accepted';
      const now = after.columns.get(key);
      if (!tables.has(tableKey))
        return [{ lint, kind: 'route-removed', path, message: `The table ${schema}.${table} is dropped` }];
      if (now === undefined)
        return [{ lint, kind: 'column-removed', path, message: `The column ${schema}.${table}.${column} is dropped` }];
      if (!isNarrower(type, now.type)) return [];
      const message = `Values of ${schema}.${table}.${column} may not fit its new type, ${now.type}`;
      return [{ lint, kind: 'column-type-changed', path, message }];
    },
  );
}

function listBreaks(before: Snapshot, after: Snapshot): readonly Unaccepted[] {
  const changes = compareApis({ old: before.api, new: after.api, renames: findRenames(before, after) });
  return changes
    .filter(({ level }) => level === 'breaking')
    .map(({ kind, path, message }) => ({
      lint: 'break-not-accepted',
      kind,
      path,
      message: `Clients of ${path} break: ${message}`,
    }));
}

/** Old names by new name, by table. */
function findRenames(before: Snapshot, after: Snapshot): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const renames = new Map<string, Map<string, string>>();
  for (const { schema, table, column, key } of after.columns.values()) {
    const old = before.columns.get(key)?.column;
    if (old === undefined || old === column) continue;
    const place = keyOfTable({ schema, name: table });
    renames.set(place, (renames.get(place) ?? new Map<string, string>()).set(column, old));
  }
  return renames;
}

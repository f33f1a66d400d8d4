// Writes a row of somebody else as a role, and undoes it. A statement without a condition is tried too: policies for reads
// do not restrict it, and a client can send it.
import type { ProbedAction, Tie } from './find-ties.ts';
import type { ForeignRow } from './foreign-rows.ts';
import { attempt, attemptRows, type Client, setClaims, setRole, undone, type Values } from './statements.ts';

export type WriteAction = Exclude<ProbedAction, 'read'>;

/** What a role may write. */
export interface Target {
  readonly object: string;
  readonly isTable: boolean;
  readonly columns: readonly Column[];
  readonly mayDelete: boolean;
}

interface Column {
  /** Quoted. */
  readonly name: string;
  readonly type: string;
  readonly mayInsert: boolean;
  readonly mayUpdate: boolean;
  /** Whether rows must differ in it. */
  readonly isKey: boolean;
}

export interface WriteProbe {
  readonly role: string;
  readonly action: WriteAction;
  readonly target: Target;
  readonly tie: Tie;
  readonly row: ForeignRow;
}

/** A statement without a condition locks every row of a table. */
const MAX_TABLE_ROWS = 10_000;

const TARGET_SQL = `
SELECT $1::text AS object, class.relkind IN ('r', 'p') AS "isTable",
  pg_catalog.has_table_privilege($2::name, class.oid, 'DELETE') AS "mayDelete",
  pg_catalog.json_agg(pg_catalog.json_build_object('name', pg_catalog.quote_ident(attribute.attname),
    'type', pg_catalog.format_type(attribute.atttypid, attribute.atttypmod),
    'mayInsert', pg_catalog.has_column_privilege($2::name, class.oid, attribute.attnum, 'INSERT'),
    'mayUpdate', pg_catalog.has_column_privilege($2::name, class.oid, attribute.attnum, 'UPDATE'),
    'isKey', EXISTS (
      SELECT FROM pg_catalog.pg_index AS index
      WHERE index.indrelid = class.oid AND index.indisunique AND attribute.attnum = ANY (index.indkey))
  ) ORDER BY attribute.attnum) AS columns
FROM pg_catalog.pg_class AS class
JOIN pg_catalog.pg_attribute AS attribute ON attribute.attrelid = class.oid
  AND attribute.attnum > 0 AND NOT attribute.attisdropped AND attribute.attgenerated = '' AND attribute.attidentity <> 'a'
WHERE class.oid = $1::text::pg_catalog.regclass
GROUP BY class.oid`;

/** @param object `api.orders`, each part quoted if necessary */
export async function readTarget(client: Client, object: string, role: string): Promise<Target | undefined> {
  const { rows } = await client.query<Target>(TARGET_SQL, [object, role]);
  return rows[0];
}

/** Returns the writes for which the role has a privilege. */
export function listWrites({ columns, mayDelete }: Target): readonly WriteAction[] {
  return [
    ...(columns.some(({ mayUpdate }) => mayUpdate) ? (['update'] as const) : []),
    ...(mayDelete ? (['delete'] as const) : []),
    ...(columns.some(({ mayInsert }) => mayInsert) ? (['insert'] as const) : []),
  ];
}

/** @param client in a transaction, as a role that sees the row. @returns whether the role has written the row, or its like */
export async function canWrite(client: Client, probe: WriteProbe): Promise<boolean> {
  switch (probe.action) {
    case 'update':
      return canUpdate(client, probe);
    case 'delete':
      return canDelete(client, probe);
    case 'insert':
      return canInsert(client, probe);
  }
}

async function canUpdate(client: Client, probe: WriteProbe): Promise<boolean> {
  const { target, tie, row } = probe;
  const updatable = target.columns.filter(({ mayUpdate }) => mayUpdate);
  const free = updatable.filter(({ isKey }) => !isKey);
  const column = free.find(({ name }) => !tie.columns.includes(name)) ?? free[0] ?? updatable[0];
  if (column === undefined) return false;
  const [found] = await selectSame(client, probe, `${column.name}::text AS value`);
  const value = found?.['value'] ?? null;
  const set = (parameter: number): string => `SET ${column.name} = CAST($${parameter}::text AS ${column.type})`;
  const isUpdated = await undone(client, async () => {
    await act(client, probe);
    const text = `UPDATE ${tie.from} ${set(row.values.length + 1)} WHERE ${row.same}`;
    return ((await attempt(client, text, [...row.values, value]))?.rowCount ?? 0) > 0;
  });
  if (isUpdated || !target.isTable || !(await isSmall(client, target))) return isUpdated;
  // A new version of a row has another place.
  const readPlaces = async (): Promise<string> =>
    JSON.stringify(await selectSame(client, probe, 'array_agg(tableoid || ctid::text ORDER BY tableoid, ctid)::text'));
  return undone(client, async () => {
    const before = await readPlaces();
    await act(client, probe);
    await attempt(client, `UPDATE ${target.object} ${set(1)}`, [value]);
    await client.query('reset role');
    return (await readPlaces()) !== before;
  });
}

async function canDelete(client: Client, probe: WriteProbe): Promise<boolean> {
  const { target, tie, row } = probe;
  const isDeleted = await undone(client, async () => {
    await act(client, probe);
    const result = await attempt(client, `DELETE FROM ${tie.from} WHERE ${row.same}`, row.values);
    return (result?.rowCount ?? 0) > 0;
  });
  if (isDeleted || !(await isSmall(client, target))) return isDeleted;
  return undone(client, async () => {
    const before = await countSame(client, probe);
    await act(client, probe);
    await attempt(client, `DELETE FROM ${target.object}`);
    await client.query('reset role');
    return (await countSame(client, probe)) < before;
  });
}

/** Inserts a copy of the row, which is deleted first, so that no key is in the way. */
async function canInsert(client: Client, probe: WriteProbe): Promise<boolean> {
  const { target } = probe;
  const columns = target.columns.filter(({ mayInsert }) => mayInsert);
  const [found] = await selectSame(
    client,
    probe,
    columns.map(({ name }, index) => `${name}::text AS "${index}"`).join(', '),
  );
  if (found === undefined) return false;
  return undone(client, async () => {
    await attempt(client, `DELETE FROM ${probe.tie.from} WHERE ${probe.row.same}`, probe.row.values);
    const before = await countSame(client, probe);
    await act(client, probe);
    const names = columns.map(({ name }) => name).join(', ');
    const values = columns.map(({ type }, index) => `CAST($${index + 1}::text AS ${type})`).join(', ');
    await attempt(client, `INSERT INTO ${target.object} (${names}) VALUES (${values})`, Object.values(found));
    await client.query('reset role');
    return (await countSame(client, probe)) > before;
  });
}

/** Becomes the role with the claim of the reader. */
async function act(client: Client, { role, row: { claim, reader } }: WriteProbe): Promise<void> {
  await setClaims(client, role, claim, reader);
  await setRole(client, role);
}

function selectSame(client: Client, { tie, row }: WriteProbe, list: string): Promise<readonly Values[]> {
  return attemptRows(client, `SELECT ${list} FROM ${tie.from} WHERE ${row.same} LIMIT 1`, row.values);
}

async function countSame(client: Client, probe: WriteProbe): Promise<number> {
  const [row] = await selectSame(client, probe, 'pg_catalog.count(*)::text AS value');
  return Number(row?.['value'] ?? 0);
}

async function isSmall(client: Client, { object }: Target): Promise<boolean> {
  const [row] = await attemptRows(
    client,
    `SELECT (count(*) <= ${MAX_TABLE_ROWS})::text AS value FROM (SELECT FROM ${object} LIMIT ${MAX_TABLE_ROWS + 1}) AS counted`,
  );
  return row?.['value'] === 'true';
}

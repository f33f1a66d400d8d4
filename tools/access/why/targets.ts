// The tables whose policies decide on the rows of a request: the relation itself, or the tables below a view. And their
// rows, whatever the policies are.
import { parseResultOrigins } from '../../../src/catalog/view-columns.ts';
import { freedomOf } from '../../../src/contract/access-document.ts';
import type { QualifiedName } from '../../../src/contract/identifiers.ts';
import { ok } from '../../../src/contract/result.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';
import { isInvoker, VIEW_USES } from '../policies/catalog-terms.ts';
import type { Facts, Found, FoundRow, Probe } from './probe.ts';
import { renderKeyed, renderRows, renderTouched, type Way } from './row-statements.ts';

export interface Target {
  /** The table, and the role whose policies count. */
  readonly facts: Facts;
  /** Columns that identify a row, as the request knows them and as the table does. */
  readonly shown: readonly string[];
  readonly own: readonly string[];
  /** The query of the view; undefined: the request names the table. */
  readonly source: string | undefined;
}

/** @param facts of the relation that the request names. @returns the targets, and what is to be said of them */
export async function findTargets(
  facts: Facts,
  probe: Probe,
): Promise<{ readonly notes: readonly string[]; readonly targets: readonly Target[] }> {
  const { relation, name, role } = facts;
  if (relation.kind !== 'view') {
    const { key } = relation;
    return { notes: [], targets: [{ facts, shown: key, own: key, source: undefined }] };
  }
  const [view, ...tables] = await readTree(name, role.name, probe);
  if (view === undefined) return { notes: [`What the view ${name.name} reads is not known.`], targets: [] };
  const notes = tables.some(({ depth }) => depth > 1)
    ? [`${name.name} reads other views, in which rows may be left out as well.`]
    : [];
  const targets: Target[] = [];
  const origins = parseResultOrigins(view.tree ?? '');
  const source = `(${view.source?.replace(/;\s*$/u, '') ?? ''})`;
  for (const table of tables) {
    const below = await probe.readFacts(table, table.reader);
    if (below === undefined) continue;
    const reader = table.reader === role.name ? role.name : `its owner, ${table.reader}`;
    const option = relation.isInvoker ? ' (security_invoker)' : '';
    const free = describeFreedom(below);
    notes.push(
      `The view ${name.name} reads ${table.name} as ${reader}${option}${free === undefined ? '' : `: ${free}`}.`,
    );
    if (freedomOf(below.relation, below.role, below.rights) !== 'none') continue;
    const key = (table.key ?? []).map((number) => {
      const origin = origins.find((one) => one.originTable === table.oid && one.originColumn === number);
      return [view.columns[origin?.column ?? 0], table.columns[number]];
    });
    const shown = key.flatMap(([column]) => column ?? []);
    const own = key.flatMap(([, column]) => column ?? []);
    if (own.length === 0 || shown.length < own.length)
      notes.push(`Which rows of ${table.name} it hides is not known, as ${name.name} does not show its key.`);
    else targets.push({ facts: below, shown, own, source });
  }
  return { notes: [...new Set(notes)], targets };
}

/** A view, or a table below it. */
interface TreeRelation extends QualifiedName {
  readonly oid: string;
  /** Whose privileges and policies count. */
  readonly reader: string;
  /** The number of views above it. */
  readonly depth: number;
  /** The query of the view itself, and its parse tree. */
  readonly source: string | null;
  readonly tree: string | null;
  /** By their numbers. */
  readonly columns: Readonly<Record<number, string>>;
  /** Numbers of the columns of its key. */
  readonly key: readonly number[] | null;
}

const TREE_SQL = `
WITH RECURSIVE uses (view, relation) AS (
  ${VIEW_USES}
), reached (oid, reader, depth) AS (
  SELECT class.oid, $3::name, 0 FROM pg_catalog.pg_class AS class
  JOIN pg_catalog.pg_namespace AS space ON space.oid = class.relnamespace
  WHERE space.nspname = $1 AND class.relname = $2
  UNION
  SELECT uses.relation, CASE WHEN ${isInvoker('class')} THEN reached.reader
    ELSE pg_catalog.pg_get_userbyid(class.relowner) END, reached.depth + 1
  FROM reached JOIN uses ON uses.view = reached.oid JOIN pg_catalog.pg_class AS class ON class.oid = reached.oid
  WHERE reached.depth < 8
)
SELECT pg_catalog.json_build_object('schema', space.nspname, 'name', class.relname, 'oid', class.oid::text,
  'reader', reached.reader, 'depth', reached.depth,
  'source', CASE WHEN reached.depth = 0 THEN pg_catalog.pg_get_viewdef(class.oid) END,
  'tree', CASE WHEN reached.depth = 0 THEN (SELECT ev_action::text FROM pg_catalog.pg_rewrite WHERE ev_class = class.oid) END,
  'columns', (SELECT pg_catalog.json_object_agg(attnum, attname) FROM pg_catalog.pg_attribute
    WHERE attrelid = class.oid AND attnum > 0),
  'key', (SELECT indkey::int2[] FROM pg_catalog.pg_index WHERE indrelid = class.oid AND indisprimary))::text
FROM reached JOIN pg_catalog.pg_class AS class ON class.oid = reached.oid
JOIN pg_catalog.pg_namespace AS space ON space.oid = class.relnamespace
WHERE class.relkind <> 'v' OR reached.depth = 0
ORDER BY reached.depth, space.nspname, class.relname`;

/** Returns a view, then the tables that it reads, perhaps through other views. */
export async function readTree(
  { schema, name }: QualifiedName,
  role: string,
  probe: Probe,
): Promise<readonly TreeRelation[]> {
  const rows = await probe.list(TREE_SQL, [schema, name, role]);
  return rows.map((text): TreeRelation => JSON.parse(text));
}

/** Says why no policy restricts the role; undefined if policies do. */
export function describeFreedom({ relation, role, rights }: Facts): string | undefined {
  switch (freedomOf(relation, role, rights)) {
    case 'off':
      return `row-level security of ${relation.name} is off`;
    case 'superuser':
      return `${role.name} is a superuser, whom no policy restricts`;
    case 'bypass':
      return `${role.name} has BYPASSRLS, so no policy restricts it`;
    case 'owner':
      return `${role.name} owns ${relation.name}, whose row-level security is not forced`;
    case 'view':
    case 'none':
      return undefined;
  }
}

/** The stored rows at the end of a way. @param role as which the filters look; undefined: as the owner */
export async function findRows(
  way: Way,
  target: Target,
  probe: Probe,
  role?: string,
): Promise<Found<readonly FoundRow[]>> {
  const find = (): Promise<Found<readonly FoundRow[]>> => probe.find(renderRows(way, target));
  const found = role === undefined ? await find() : await probe.runFreely(role, [], find);
  return found.ok && target.source !== undefined ? findKeyed(target, found.value, probe) : found;
}

/** The stored rows with the keys of these. */
export function findKeyed(
  { facts: { name }, own }: Pick<Target, 'facts' | 'own'>,
  rows: readonly FoundRow[],
  probe: Probe,
): Promise<Found<readonly FoundRow[]>> {
  return own.length === 0 ? Promise.resolve(ok([])) : probe.find(renderKeyed(name, own, rows));
}

interface LeftRows {
  /** Whether no trigger runs. */
  readonly isBare?: boolean;
  /** Looks for other rows than those that the request has written. */
  readonly looksFor?: (() => Promise<Found<readonly FoundRow[]>>) | undefined;
}

/** Of the row of the role in a savepoint in which it was changed. */
const START_SQL = 'SELECT xmin::text FROM pg_catalog.pg_authid WHERE rolname = $1';

/**
 * Runs a request that nothing restricts, and returns the rows of a table that it has written, however they came there: by a
 * nested write, a trigger or a function. They are told by their transaction.
 */
export function findLeft(
  script: TransactionScript,
  { facts, own }: Pick<Target, 'facts' | 'own'>,
  probe: Probe,
  { isBare = false, looksFor }: LeftRows = {},
): Promise<Found<readonly FoundRow[]>> {
  const [first, ...others] = script.segments;
  const segments = [{ ...first, verify: undefined, budget: undefined }, ...others] as const;
  return probe.runFreely(script.role, [facts.role.name], async () => {
    const [start = '0'] = await probe.list(START_SQL, [script.role]);
    if (isBare) await probe.set('session_replication_role', 'replica');
    // Rows that arrive while it runs have gone.
    const ended = await probe.runRequest({ ...script, end: 'commit', arriving: undefined, segments });
    if (!ended.ok) return ended;
    return looksFor?.() ?? probe.find(renderTouched(facts.name, own, start));
  });
}

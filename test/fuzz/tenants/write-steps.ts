// Write steps: inserts, upserts, updates and deletes, some rolled back, some rejected by limits or by the database.
import { urlOf, type Question } from '../../support/http-client.ts';
import { applyUpdate, checkUpdate, keepOwnConditions, showColumns } from '../oracle/check-read.ts';
import { printRead } from '../oracle/print-read.ts';
import { TEXTS, type Row, type Value } from '../oracle/read-model.ts';
import { authorize, expectError, expectText, type Scene, type Step, type StepMaker } from './step.ts';

/** Maximum number of rows per table, which keeps nested loops over them cheap. */
const MAX_ROWS = 9;
const MIN_ROWS = 3;

const LEAVES = ['voyages', 'permits', 'postings', 'crates'] as const;
type Leaf = (typeof LEAVES)[number];
const KEYS = { voyages: ['id'], permits: ['boat_id'], postings: ['boat_id', 'sailor_id'], crates: ['id'] } as const;

function makeRow({ random, tenant }: Scene, table: Leaf): Row {
  const boat = random.pick(tenant.rows('boats'))['id'] ?? null;
  const harbour = (): number | null => (random.chance(0.2) ? null : Number(random.pick(tenant.rows('harbours'))['id']));
  switch (table) {
    case 'voyages':
      return { id: tenant.newId(), boat_id: boat, from_id: harbour(), to_id: harbour() };
    case 'permits':
      return { boat_id: boat, code: tenant.text(random.pick(['P-3', 'P, 4'])) };
    case 'postings':
      return {
        boat_id: boat,
        sailor_id: random.pick(tenant.rows('sailors'))['id'] ?? null,
        duty: tenant.text(random.pick(['bosun', 'pilot'])),
      };
    case 'crates':
      return {
        id: tenant.newId(),
        name: tenant.text('new'),
        parent_id: random.chance(0.3) ? null : (random.pick(tenant.rows('crates'))['id'] ?? null),
      };
  }
}

function keyOf(table: Leaf, row: Row): string {
  return KEYS[table].map((column) => row[column]).join();
}

const insert: StepMaker = (scene) => {
  const { random, tenant } = scene;
  const table = random.pick(LEAVES);
  if (tenant.rows(table).length >= MAX_ROWS) return remove(scene);
  const made = random.list(1, 2, () => makeRow(scene, table));
  const rows = [...new Map(made.map((row) => [keyOf(table, row), row])).values()];
  const known = new Set(tenant.rows(table).map((row) => keyOf(table, row)));
  const duplicates = rows.filter((row) => known.has(keyOf(table, row)));
  const isUpsert = duplicates.length > 0 && random.chance(0.7);
  const isShown = random.chance(0.5);
  const isUndone = random.chance(0.1);
  const headers = preferring([
    isShown ? 'return=representation' : 'return=minimal',
    ...(isUpsert ? ['resolution=merge-duplicates'] : []),
    ...(isUndone ? ['tx=rollback'] : []),
  ]);
  const status = isUpsert && duplicates.length === rows.length ? 200 : 201;
  const columns = Object.keys(rows[0] ?? {});
  const isConflict = duplicates.length > 0 && !isUpsert;
  const replaced = new Set(rows.map((row) => keyOf(table, row)));
  const settle = (): void =>
    tenant.replace(table, [...tenant.rows(table).filter((row) => !replaced.has(keyOf(table, row))), ...rows]);
  return {
    kind: isConflict ? 'refusal: duplicate' : isUpsert ? 'upsert' : 'insert',
    question: {
      method: 'POST',
      url: `/${table}${isShown ? `?select=${columns.join()}` : ''}`,
      ...renderRows(scene, rows, headers),
    },
    check: isConflict ? expectError(409, '23505') : isShown ? expectRows(status, rows, table) : expectText(status, ''),
    ...(isConflict || isUndone ? {} : { settle }),
  };
};

function preferring(preferences: readonly string[]): Readonly<Record<string, string>> {
  return { Prefer: preferences.join(', ') };
}

/** Renders rows as JSON or as CSV. */
function renderRows(
  { random, tenant }: Scene,
  rows: readonly Row[],
  headers: Question['headers'],
): Pick<Question, 'headers' | 'body'> {
  const sent = { ...authorize(random.pick(tenant.members)), ...headers };
  if (random.chance(0.8))
    return {
      headers: { ...sent, 'Content-Type': 'application/json' },
      body: JSON.stringify(rows.length === 1 && random.chance(0.5) ? rows[0] : rows),
    };
  const columns = Object.keys(rows[0] ?? {});
  const field = (value: Value | undefined): string =>
    typeof value === 'string' ? `"${value}"` : String(value ?? 'NULL');
  const lines = rows.map((row) => columns.map((column) => field(row[column])).join());
  return { headers: { ...sent, 'Content-Type': 'text/csv' }, body: [columns.join(), ...lines].join('\n') };
}

/** Expects the rows in any order. */
function expectRows(status: number, rows: readonly Row[], table: Leaf): Step['check'] {
  const sorted = (list: readonly Row[]): string =>
    JSON.stringify(list.toSorted((a, b) => (keyOf(table, a) < keyOf(table, b) ? -1 : 1)));
  const expected = sorted(rows);
  return (answer) => {
    if (answer.status === status && sorted(JSON.parse(answer.body) as Row[]) === expected) return undefined;
    return `${answer.status} ${answer.body} instead of ${status} ${expected}`;
  };
}

const remove: StepMaker = (scene) => {
  const { random, tenant } = scene;
  const table = random.pick(LEAVES.filter((leaf) => leaf !== 'postings'));
  const rows = tenant.rows(table);
  if (rows.length <= MIN_ROWS) return update(scene);
  const key = KEYS[table][0];
  const gone = new Set(random.list(1, 2, () => Number(random.pick(rows)[key])));
  const kept = rows.filter((row) => !gone.has(Number(row[key])));
  const isHeld = table === 'crates' && kept.some((row) => gone.has(Number(row['parent_id'])));
  const isUndone = random.chance(0.1);
  const question = {
    method: 'DELETE',
    url: `/${table}?${key}=in.(${[...gone].join()})`,
    headers: { ...authorize(random.pick(tenant.members)), ...(isUndone ? { Prefer: 'tx=rollback' } : {}) },
  };
  return {
    kind: isHeld ? 'refusal: foreign key' : 'delete',
    question,
    check: isHeld ? expectError(409, '23503') : expectText(204, ''),
    ...(isHeld || isUndone ? {} : { settle: () => tenant.replace(table, kept) }),
  };
};

/** An update accepts the same conditions on its own columns as a read. */
const update: StepMaker = (scene) => {
  const { random, tenant, shapes } = scene;
  const plain = shapes.pick(random, tenant);
  const column = TEXTS[plain.relation];
  if (column === undefined) return insert(scene);
  const level = showColumns(keepOwnConditions(plain), tenant.tables);
  const change = { level, values: { [column]: tenant.text(`Zed${random.roll(5)}`) } };
  const isUndone = random.chance(0.1);
  const { tables } = tenant;
  const settle = (): void => {
    const updated = applyUpdate(change, tables);
    tenant.replace(
      level.relation,
      tenant.rows(level.relation).map((row) => updated.get(row) ?? row),
    );
  };
  return {
    kind: 'update',
    question: {
      method: 'PATCH',
      url: urlOf(level.relation, printRead(level)),
      headers: {
        ...authorize(random.pick(tenant.members)),
        ...preferring(['return=representation', 'count=exact', ...(isUndone ? ['tx=rollback'] : [])]),
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(change.values),
    },
    check: (answer) => checkUpdate(change, answer, tables),
    ...(isUndone ? {} : { settle }),
  };
};

/** Changes more rows than the request allows, so the write is rolled back. */
const excess: StepMaker = ({ random, tenant, dialect }) => ({
  kind: 'refusal: too many rows',
  question: {
    method: random.pick(['PATCH', 'DELETE']),
    url: '/voyages?id=gt.0',
    headers: {
      ...authorize(random.pick(tenant.members)),
      ...preferring(['handling=strict', 'max-affected=1']),
      'Content-Type': 'application/json',
    },
    body: '{"boat_id":null}',
  },
  check: expectError(400, `${dialect.errorPrefix}124`),
});

export const WRITES: readonly (readonly [weight: number, StepMaker])[] = [
  [60, insert],
  [40, remove],
  [60, update],
  [8, excess],
];

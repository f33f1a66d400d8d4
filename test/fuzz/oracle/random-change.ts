// Generates a random write of `api.items` or its view: the change as a model, and the request for it.
import type { Random } from '../../support/generate/random.ts';
import type { Question } from '../../support/http-client.ts';
import { COLUMNS, type Change, type Column, type Filter, type Item, type Value } from './change-model.ts';

export interface Write {
  readonly change: Change;
  readonly question: Question;
  readonly relation: string;
  readonly shows: 'representation' | 'minimal' | 'headers-only' | undefined;
  readonly isCounted: boolean;
  readonly isSingular: boolean;
}

interface Draft {
  readonly change: Change;
  readonly method: string;
  readonly query: readonly string[];
  readonly preferences: readonly string[];
  readonly body: Body;
}

interface Body {
  readonly text: string | undefined;
  readonly type: string;
}

const NO_BODY: Body = { text: undefined, type: 'application/json' };

export function randomWrite(random: Random): Write {
  const relation = random.pick(['items', 'items', 'item_view']);
  const shows = random.pick(['representation', 'minimal', 'headers-only', undefined] as const);
  const [isCounted, isSingular] = [random.chance(0.4), random.chance(0.15)];
  const draft = randomDraft(random, relation);
  const own = [...(shows === undefined ? [] : [`return=${shows}`]), ...(isCounted ? ['count=exact'] : [])];
  const headers = {
    'Content-Type': draft.body.type,
    Prefer: [...draft.preferences, ...own].join(', '),
    Accept: isSingular ? 'application/vnd.svc.object+json' : '*/*',
  };
  const url = `/${relation}?${draft.query.join('&')}`;
  const question = { method: draft.method, url, headers, body: draft.body.text };
  return { change: draft.change, question, relation, shows, isCounted, isSingular };
}

function randomDraft(random: Random, relation: string): Draft {
  switch (random.roll(6)) {
    case 0:
      return randomPut(random);
    case 1:
      return randomUpdate(random);
    case 2:
      return randomDelete(random);
    default:
      return randomInsert(random, relation);
  }
}

function randomInsert(random: Random, relation: string): Draft {
  const keys = COLUMNS.filter(() => random.chance(0.8));
  const resolution = random.pick(['merge', 'ignore', undefined] as const);
  const target = random.pick(['id', 'id', 'code'] as const);
  // A view does not have the defaults of its table.
  const isDefaulting = relation === 'items' && random.chance(0.4);
  const whole = random.list(0, 3, () => pickKeys(randomItem(random), keys));
  const isListed = random.chance(0.4);
  const columns = isListed ? (['id', ...COLUMNS.slice(1).filter(() => random.chance(0.7))] as const) : keys;
  const rows = isListed ? whole.map((row) => dropSome(random, row)) : whole;
  const body = isListed ? jsonBody(rows) : randomBody(random, rows, keys);
  return {
    change: {
      kind: 'insert',
      rows,
      columns: rows.length > 0 || isListed ? columns : [],
      isDefaulting,
      resolution,
      target,
    },
    method: 'POST',
    query: [
      ...(isListed ? [`columns=${columns.join()}`] : []),
      ...(resolution && (target === 'code' || random.chance(0.5)) ? [`on_conflict=${target}`] : []),
    ],
    preferences: [
      ...(resolution ? [`resolution=${resolution}-duplicates`] : []),
      ...(isDefaulting ? ['missing=default'] : []),
    ],
    body,
  };
}

function randomPut(random: Random): Draft {
  const id = 1 + random.roll(6);
  const columns: readonly Column[] = ['id', ...COLUMNS.slice(1).filter(() => random.chance(0.8))];
  const others = random.list(0, 2, () => pickKeys(randomItem(random), columns));
  const own = { ...pickKeys(randomItem(random), columns), id };
  const rows = random.chance(0.9) ? [...others, own] : [...others, { ...own, id: id + 10 }];
  const body = randomBody(random, rows, columns);
  return { change: { kind: 'put', id, rows, columns }, method: 'PUT', query: [`id=eq.${id}`], preferences: [], body };
}

function randomUpdate(random: Random): Draft {
  const filter = randomFilter(random);
  const values = pickKeys(
    randomItem(random),
    (['qty', 'note'] as const).filter(() => random.chance(0.7)),
  );
  const body = jsonBody(random.chance(0.5) ? values : [values]);
  return {
    change: { kind: 'update', filter, values },
    method: 'PATCH',
    query: [printFilter(filter)],
    preferences: [],
    body,
  };
}

function randomDelete(random: Random): Draft {
  const filter = randomFilter(random);
  return {
    change: { kind: 'delete', filter },
    method: 'DELETE',
    query: [printFilter(filter)],
    preferences: [],
    body: NO_BODY,
  };
}

function randomFilter(random: Random): Filter {
  const column = random.pick(['id', 'qty', 'code'] as const);
  const value = column === 'code' ? random.pick(['a', 'b', 'c']) : 1 + random.roll(4);
  return { column, operator: random.pick(['eq', 'gt', 'lte'] as const), value };
}

function printFilter({ column, operator, value }: Filter): string {
  return `${column}=${operator}.${value}`;
}

function randomItem(random: Random): Item {
  return {
    id: random.chance(0.95) ? 1 + random.roll(6) : null,
    code: random.chance(0.9) ? random.pick(['a', 'b', 'c', 'd', 'e', 'f']) : null,
    qty: random.pick([1, 2, null]),
    note: random.pick(['x', 'y, "q"\n', '', null, 'NULL ', 'ü']),
  };
}

function pickKeys(item: Item, keys: readonly Column[]): Partial<Item> {
  return Object.fromEntries(keys.map((key) => [key, item[key]]));
}

function dropSome(random: Random, row: Partial<Item>): Partial<Item> {
  return Object.fromEntries(Object.entries(row).filter(() => random.chance(0.7)));
}

function randomBody(random: Random, rows: readonly Partial<Item>[], keys: readonly Column[]): Body {
  const isCsv = rows.length > 0 && keys.length > 0 && random.chance(0.25);
  if (!isCsv) return jsonBody(rows);
  const lines = [keys.join(), ...rows.map((row) => keys.map((key) => quote(row[key] ?? null)).join())];
  return { text: lines.map((line) => line + random.pick(['\n', '\r\n'])).join(''), type: 'text/csv' };
}

function jsonBody(value: unknown): Body {
  return { text: JSON.stringify(value), type: 'application/json' };
}

function quote(value: Value): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value);
}

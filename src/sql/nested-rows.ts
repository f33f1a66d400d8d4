// The rows of a nested write while it runs: what is known of the rows that are written, and the JSON of the next ones.
import type { NestedPlan, NestedTask, RowLink, TaskRow } from '../plan/actions/nested-plan.ts';

/** What is known of a row; undefined: it does not exist, or nothing refers to it. */
export type RowKey = KnownRow | undefined;

export interface KnownRow {
  /** The values that the statement returned, each as JSON text. */
  readonly values: readonly string[];
  /** False for an existing row that an insert has ignored. */
  readonly isWritten: boolean;
}

/** The keys of the rows that are written so far, by task. */
export type WrittenKeys = ReadonlyMap<number, readonly RowKey[]>;

const DECODER = new TextDecoder();

/** Reads the values of the first row that a statement returns (`render-nested.ts`). */
export function readValues(body: Uint8Array | undefined): readonly string[] | undefined {
  if (body === undefined || body.length === 0) return undefined;
  const rows: unknown = JSON.parse(DECODER.decode(body));
  const [row]: readonly unknown[] = Array.isArray(rows) ? rows : [];
  return Array.isArray(row) ? row.map(textOf) : undefined;
}

/** The value null has no text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'null';
}

/** The rows of one statement as a JSON array. */
export function renderRows(rows: readonly TaskRow[], plan: NestedPlan, keys: WrittenKeys): Uint8Array {
  const texts = rows.map((row) => {
    const linked = row.links.flatMap((link) => renderLink(link, plan.tasks, keys));
    const isPair = row.statement.verb === 'same';
    return isPair ? `{${row.members.join(',')}},{${linked.join(',')}}` : `{${[...row.members, ...linked].join(',')}}`;
  });
  return new TextEncoder().encode(`[${texts.join(',')}]`);
}

function renderLink(link: RowLink, tasks: readonly NestedTask[], keys: WrittenKeys): readonly string[] {
  return readLink(link, tasks, keys).map(([own, value]) => member(own, value));
}

type LinkedValue = readonly [own: string, value: string | undefined];

function readLink({ task, row, columns }: RowLink, tasks: readonly NestedTask[], keys: WrittenKeys): LinkedValue[] {
  const returned = tasks[task]?.rows[row]?.statement.returned ?? [];
  const values = keys.get(task)?.[row]?.values;
  return columns.map(([own, other]) => [own, values?.[returned.indexOf(other)]]);
}

/** Whether a row would be stored without a reference to its related row, whose key is null. */
export function isOrphan({ statement, links }: TaskRow, { tasks }: NestedPlan, keys: WrittenKeys): boolean {
  const { verb, match } = statement;
  if (verb !== 'insert' && verb !== 'update') return false;
  const assigned = links.flatMap((link) => readLink(link, tasks, keys)).filter(([own]) => !match.includes(own));
  return assigned.some(([, value]) => value === undefined || value === 'null');
}

/** The keys of the top level as a JSON array. */
export function renderTopKeys({ top, tasks, key }: NestedPlan, keys: WrittenKeys, count: number): Uint8Array {
  const rows = tasks[top]?.rows ?? [];
  const written = (keys.get(top) ?? []).flatMap((known, index) => {
    const returned = rows[index]?.statement.returned ?? [];
    if (known?.isWritten !== true) return [];
    const { values } = known;
    return `{${key.map(({ column: { name } }) => member(name, values[returned.indexOf(name)])).join(',')}}`;
  });
  const texts = key.length === 0 ? Array.from({ length: count }, () => '{}') : written;
  return new TextEncoder().encode(`[${texts.join(',')}]`);
}

function member(name: string, value: string | undefined): string {
  return `${JSON.stringify(name)}:${value ?? 'null'}`;
}

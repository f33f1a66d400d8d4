// The list of tables in which a user of `init` chooses what requests without a token may do. Pure: keys change the list,
// and it renders to lines.
import { escapeLine } from '../../src/observe/escape-text.ts';
import type { ExistingTable } from './existing-tables.ts';
import type { Access, TableAccess } from './table-access.ts';

export interface AccessList {
  readonly rows: readonly TableAccess[];
  /** Index of the selected row. */
  readonly at: number;
}

/** A key by its name in Node's `readline`. */
export interface ListKey {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
}

export type ListStep =
  | { readonly kind: 'list'; readonly list: AccessList }
  | { readonly kind: 'done' }
  /** The user wants to do nothing. */
  | { readonly kind: 'ended' };

/** Every table begins readable, without row-level security. */
export function beginList(tables: readonly ExistingTable[]): AccessList {
  return { rows: tables.map((table) => ({ table, access: 'read', hasPolicy: false })), at: 0 };
}

export function pressKey(list: AccessList, { name = '', ctrl = false }: ListKey): ListStep {
  if (ctrl) return name === 'c' || name === 'd' ? { kind: 'ended' } : { kind: 'list', list };
  if (name === 'return' || name === 'enter') return { kind: 'done' };
  return { kind: 'list', list: editList(list, name) };
}

const ORDER: readonly Access[] = ['none', 'read', 'write'];

function editList({ rows, at }: AccessList, key: string): AccessList {
  const row = rows[at];
  if (row === undefined) return { rows, at };
  const choose = (access: Access | undefined): AccessList => ({ rows: rows.with(at, withAccess(row, access)), at });
  const place = ORDER.indexOf(row.access);
  switch (key) {
    case 'up':
      return { rows, at: Math.max(0, at - 1) };
    case 'down':
      return { rows, at: Math.min(rows.length - 1, at + 1) };
    case 'left':
      return choose(ORDER[place - 1]);
    case 'right':
      return choose(ORDER[place + 1]);
    case 'space':
      return choose(ORDER[(place + 1) % ORDER.length]);
    case 'p':
      return { rows: rows.with(at, withPolicy(row, !row.hasPolicy)), at };
    case 'a':
      return { rows: rows.map((each) => withPolicy(withAccess(each, row.access), row.hasPolicy)), at };
    default:
      return { rows, at };
  }
}

function withAccess(row: TableAccess, access: Access = row.access): TableAccess {
  return { ...row, access, hasPolicy: row.hasPolicy && access !== 'none' };
}

function withPolicy(row: TableAccess, hasPolicy: boolean): TableAccess {
  return { ...row, hasPolicy: hasPolicy && row.access !== 'none' && row.table.canHavePolicies };
}

/** Fits 80 columns. */
const LEGEND = [
  'Up, Down: table   Left, Right: access   A: the same for all   Enter: done',
  'P: row-level security, with a policy that allows all rows to the roles of this',
  '   setup. Other roles then see no rows.',
];
const WARNING = 'Everybody who reaches the API can then change the rows. Restrict the policies.';
/** Lines around those of the tables. */
const FRAME_LINES = 6;

/** Renders the part of the list around the selected row that fits a terminal. */
export function renderList({ rows, at }: AccessList, columns: number, lines: number): readonly string[] {
  const count = Math.max(1, Math.min(rows.length, lines - FRAME_LINES));
  const first = Math.max(0, Math.min(at - Math.floor(count / 2), rows.length - count));
  const width = Math.max(...rows.map(({ table }) => escapeLine(table.name).length));
  const shown = rows.slice(first, first + count).map(({ table, access, hasPolicy }, index) => {
    const mark = first + index === at ? '>' : ' ';
    const policy = hasPolicy ? '  row-level security' : '';
    return `${mark} ${escapeLine(table.name).padEnd(width)}  ${access.padEnd(5)}${policy}`;
  });
  const warning = rows.some(({ access }) => access === 'write') ? WARNING : '';
  return [...LEGEND, ...shown, warning].map((line) => line.slice(0, columns - 1).trimEnd());
}

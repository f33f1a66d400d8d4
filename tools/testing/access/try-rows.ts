// Finds out by requests which rows a client can read and write. What a constraint refuses, the policies have admitted.
import type { TestClient, TestResponse } from '../contract/types.ts';
import type { Row } from '../session/json-rows.ts';
import type { SessionTransaction } from '../session/session-transactions.ts';
import type { RelationFacts, WritableColumns } from './relation-facts.ts';

export type Action = 'select' | 'insert' | 'update' | 'delete';
export const ACTIONS: readonly Action[] = ['select', 'insert', 'update', 'delete'];

export interface FoundRows {
  /** Of the rows that the action concerns, rendered by `renderKey`. */
  readonly keys: ReadonlySet<string>;
  /** Why rows were refused, if not for missing privileges or a policy. */
  readonly notes: readonly string[];
}

export interface Trial {
  readonly session: SessionTransaction;
  readonly client: TestClient;
  readonly relation: RelationFacts;
  readonly columns: WritableColumns;
}

export function renderKey({ keys }: RelationFacts, row: Row): string {
  const values = keys.map((key) => row[key]);
  return JSON.stringify(values.length === 1 ? values[0] : values);
}

export async function tryAction(action: Action, trial: Trial): Promise<FoundRows> {
  if (action === 'select') return trySelect(trial);
  const keys = new Set<string>();
  const notes = new Set<string>();
  for (const row of trial.relation.rows) {
    const { status, body } = await trial.session.transaction.attempt(() => sendWrite(action, row, trial));
    const code: unknown = body?.code;
    const isKept = typeof code === 'string' && code.startsWith('23');
    if (status < 300 || isKept) keys.add(renderKey(trial.relation, row));
    else if (code !== DENIED && code !== HIDDEN) notes.add(describe({ status, body }));
  }
  return { keys, notes: [...notes] };
}

const DENIED = '42501';
/** Stands for a write that has found no row. */
const HIDDEN = 'hidden';

async function trySelect({ client, relation }: Trial): Promise<FoundRows> {
  const columns = relation.keys.length === 0 ? '' : `?select=${relation.keys.map(encodeName).join(',')}`;
  const response = await client.get(`/${encodeURIComponent(relation.name)}${columns}`, readHeaders(relation));
  if (response.status < 300)
    return { keys: new Set(response.rows.map((row: Row) => renderKey(relation, row))), notes: [] };
  return { keys: new Set(), notes: response.body?.code === DENIED ? [] : [describe(response)] };
}

type Reply = Pick<TestResponse, 'status' | 'body'>;

async function sendWrite(action: Exclude<Action, 'select'>, row: Row, trial: Trial): Promise<Reply> {
  const { client, relation, columns } = trial;
  const path = `/${encodeURIComponent(relation.name)}`;
  const options = { headers: { 'Content-Profile': relation.schema, Prefer: 'count=exact' } };
  if (action === 'insert') return client.post(path, pick(row, columns.insertable), options);
  const target = `${path}?${relation.keys.map((key) => `${encodeName(key)}=eq.${encodeURIComponent(String(row[key]))}`).join('&')}`;
  const response = await (action === 'delete'
    ? client.delete(target, options)
    : client.patch(target, pick(row, [chooseColumn(relation, columns, row)]), options));
  const isHidden = response.status < 300 && response.headers.get('content-range')?.endsWith('/0') === true;
  return isHidden ? { status: 404, body: { code: HIDDEN } } : response;
}

/** It gets its own value. Without one that the role may write, any shows that. */
function chooseColumn({ keys }: RelationFacts, { updatable }: WritableColumns, row: Row): string {
  const other = updatable.find((name) => !keys.includes(name));
  return other ?? updatable[0] ?? Object.keys(row).find((name) => !keys.includes(name)) ?? keys[0] ?? '';
}

function pick(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

/** A quoted name stands for itself. */
function encodeName(name: string): string {
  return encodeURIComponent(/^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name) ? name : `"${name.replaceAll(/["\\]/gu, '\\$&')}"`);
}

function readHeaders({ schema }: RelationFacts): { readonly headers: Readonly<Record<string, string>> } {
  return { headers: { 'Accept-Profile': schema } };
}

export function describe({ status, body }: Reply): string {
  return `${status} ${body?.code ?? ''}: ${body?.message ?? ''}`;
}

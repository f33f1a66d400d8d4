// `expectAccess`: compares what roles can do with a table of what they may (`project.md` §5 item 4).
import { readColumns, readRelation, type RelationFacts } from './access/relation-facts.ts';
import { type Action, ACTIONS, describe, type FoundRows, renderKey, tryAction } from './access/try-rows.ts';
import { findTransaction, type SessionTransaction } from './session/session-transactions.ts';
import type { AccessMatrix, ExpectedAccess, TestSession } from './contract/types.ts';

interface Difference {
  readonly object: string;
  readonly role: string;
  readonly action: string;
  readonly expected: string;
  readonly found: string;
  readonly notes: readonly string[];
}

const ROUTINE = /^\/?rpc\//u;

/**
 * Checks by requests which rows each role can read and write, and which functions it can call. Everything it does is
 * undone.
 *
 * @param session of `project.begin()` or `project.test()`, in which the rows have been prepared
 * @throws an error that shows all differences as a table
 */
export async function expectAccess(session: TestSession, matrix: AccessMatrix): Promise<void> {
  const held = findTransaction(session);
  if (held === undefined) throw new Error('expectAccess needs a session of project.begin() or project.test().');
  const differences: Difference[] = [];
  for (const [object, roles] of Object.entries(matrix)) {
    const relation = ROUTINE.test(object) ? undefined : await readRelation(held, object);
    for (const [role, access] of Object.entries(roles)) {
      const place = { object, role, access: spell(access, relation) };
      refuseUnknown(place, relation);
      differences.push(
        ...(relation === undefined
          ? await checkRoutine(session, held, place)
          : await checkRelation(session, held, { ...place, relation })),
      );
    }
  }
  if (differences.length > 0) throw new Error(renderTable(differences));
}

function spell(access: ExpectedAccess | 'all' | 'none', relation: RelationFacts | undefined): ExpectedAccess {
  if (typeof access !== 'string') return access;
  if (relation === undefined) return { call: access };
  // Without a key, only reads can be checked.
  return relation.keys.length === 0
    ? { select: access }
    : { select: access, insert: access, update: access, delete: access };
}

/** What is misspelled would not be checked, and the test would pass. */
function refuseUnknown({ object, role, access }: Place, relation: RelationFacts | undefined): void {
  const actions: readonly string[] = relation === undefined ? ['call'] : ACTIONS;
  const words = relation === undefined ? ['all', 'none'] : ['all', 'none', 'own'];
  const known = [...actions, 'claims', relation === undefined ? 'args' : 'own'];
  const where = `In the access of ${role} to ${object},`;
  for (const [key, value] of Object.entries(access)) {
    if (!known.includes(key)) throw new Error(`${where} ${JSON.stringify(key)} is none of ${known.join(', ')}.`);
    if (!actions.includes(key) || (typeof value === 'string' ? words.includes(value) : hasKeys(value, relation)))
      continue;
    const keys = relation === undefined ? '' : ' or { own: [keys] }';
    throw new Error(`${where} ${key} is ${JSON.stringify(value)}, which is none of ${words.join(', ')}${keys}.`);
  }
}

function hasKeys(value: unknown, relation: RelationFacts | undefined): boolean {
  if (value === undefined) return true;
  return (
    relation !== undefined && typeof value === 'object' && value !== null && 'own' in value && Array.isArray(value.own)
  );
}

interface Place {
  readonly object: string;
  readonly role: string;
  readonly access: ExpectedAccess;
}

async function checkRoutine(
  session: TestSession,
  { transaction }: SessionTransaction,
  { object, role, access }: Place,
): Promise<readonly Difference[]> {
  const { claims = {}, args = {}, call = 'all' } = access;
  const client = session.as({ ...claims, role });
  const response = await transaction.attempt(() => client.rpc(object.replace(ROUTINE, ''), args));
  const isDenied = response.status === 401 || response.status === 403;
  if (response.status === 404) throw new Error(`${object} cannot be called: ${describe(response)}`);
  if (isDenied === (call === 'none')) return [];
  const found = isDenied ? 'none' : 'all';
  return [{ object, role, action: 'call', expected: call, found, notes: isDenied ? [describe(response)] : [] }];
}

async function checkRelation(
  session: TestSession,
  held: SessionTransaction,
  { object, role, access, relation }: Place & { readonly relation: RelationFacts },
): Promise<readonly Difference[]> {
  const client = session.as({ ...access.claims, role });
  const columns = await readColumns(held, relation, role);
  const differences: Difference[] = [];
  for (const action of ACTIONS) {
    if (access[action] === undefined) continue;
    const expected = listExpected(action, access, relation);
    const found = await tryAction(action, { session: held, client, relation, columns });
    if (isSame(expected, found.keys)) continue;
    const render = (keys: ReadonlySet<string>): string => renderKeys(keys, relation);
    differences.push({
      object,
      role,
      action,
      expected: render(expected),
      found: render(found.keys),
      notes: found.notes,
    });
  }
  return differences;
}

/** Throws if the matrix cannot be understood. */
function listExpected(action: Action, access: ExpectedAccess, relation: RelationFacts): FoundRows['keys'] {
  const rows = access[action] ?? 'none';
  if (rows === 'none') return new Set();
  if (rows === 'all') return new Set(relation.rows.map((row) => renderKey(relation, row)));
  if (relation.keys.length === 0)
    throw new Error(`${relation.name} has no primary key: its rows can only be expected to be readable, all or none.`);
  const lists = [access.select, access.insert, access.update, access.delete];
  const listed = lists.map((each) => (typeof each === 'object' ? each.own : undefined));
  const own = typeof rows === 'object' ? rows.own : (access.own ?? listed.find((keys) => keys !== undefined));
  if (own === undefined) throw new Error(`'own' needs the keys of those rows of ${relation.name}: { own: [1, 4] }.`);
  return new Set(own.map((key) => JSON.stringify(key)));
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((key) => other.has(key));
}

function renderKeys(keys: ReadonlySet<string>, { rows }: RelationFacts): string {
  if (keys.size === 0) return 'none';
  return keys.size === rows.length ? 'all' : [...keys].join(', ');
}

const HEAD = ['', 'role', 'action', 'expected', 'found'] as const;

function renderTable(differences: readonly Difference[]): string {
  const lines = differences.map(({ object, role, action, expected, found }) => [object, role, action, expected, found]);
  const widths = HEAD.map((_, column) => Math.max(...[HEAD, ...lines].map((cells) => cells[column]?.length ?? 0)));
  const render = (cells: readonly string[]): string =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  const notes = differences.flatMap((each) =>
    each.notes.map((note) => `  ${each.object}, ${each.role}, ${each.action}: ${note}`),
  );
  const count = differences.length === 1 ? 'One difference' : `${differences.length} differences`;
  return [`${count} between what roles may do and what they can:`, render(HEAD), ...lines.map(render), ...notes].join(
    '\n',
  );
}

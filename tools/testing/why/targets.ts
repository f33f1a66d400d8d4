// The tables whose policies decide on the rows of a request: the relation itself, or the tables below a view.
import { freedomOf } from '../../../src/contract/access-document.ts';
import { ok, type Result } from '../../../src/contract/result.ts';
import type { Statement } from '../../../src/contract/transaction.ts';
import type { MutateAction, ReadAction } from '../../../src/plan/actions/action-plan.ts';
import type { QueryReply } from '../../../src/postgres/session/query.ts';
import { readViewBody, type ViewBody } from './base-tables.ts';
import { type Facts, type Probe, readRows } from './probe.ts';
import {
  conditionsOf,
  type FoundRow,
  listDependencies,
  readFound,
  renderAsked,
  renderKeyed,
  renderWritten,
} from './row-statements.ts';

export interface Target {
  /** The table, and the role whose policies count. */
  readonly facts: Facts;
  /** Columns that identify a row, as the request knows them and as the table does. */
  readonly shown: readonly string[];
  readonly own: readonly string[];
  /** The query of the view; undefined: the request names the table. */
  readonly source: string | undefined;
}

export interface Targets {
  /** What is to be said of them. */
  readonly notes: readonly string[];
  readonly targets: readonly Target[];
}

/** @param facts of the relation that the request names */
export async function findTargets(facts: Facts, probe: Probe): Promise<Targets> {
  const { relation, name, role } = facts;
  if (relation.kind !== 'view') {
    const { key } = relation;
    return { notes: [], targets: [{ facts, shown: key, own: key, source: undefined }] };
  }
  const body = await readViewBody(name, role.name, probe);
  if (body === undefined) return { notes: [`What the view ${name.name} reads is not known.`], targets: [] };
  const notes: string[] = body.isNested
    ? [`${name.name} reads other views, in which rows may be left out as well.`]
    : [];
  const targets: Target[] = [];
  for (const table of body.tables) {
    const below = await probe.readFacts(table.name, table.reader);
    if (below === undefined) continue;
    notes.push(describeReader(facts, below));
    if (freedomOf(below.relation, below.role, below.rights) !== 'none') continue;
    if (table.key.length === 0)
      notes.push(`Which rows of ${table.name.name} it hides is not known, as ${name.name} does not show its key.`);
    else targets.push(toTarget(below, table.key, body));
  }
  return { notes: [...new Set(notes)], targets };
}

function toTarget(facts: Facts, key: readonly (readonly [string, string])[], { source }: ViewBody): Target {
  return { facts, shown: key.map(([shown]) => shown), own: key.map(([, own]) => own), source };
}

function describeReader({ name: view, role, relation }: Facts, below: Facts): string {
  const reader = below.role.name === role.name ? role.name : `its owner, ${below.role.name}`;
  const option = relation.isInvoker ? ' (security_invoker)' : '';
  const free = describeFreedom(below);
  return `The view ${view.name} reads ${below.name.name} as ${reader}${option}${free === undefined ? '' : `: ${free}`}.`;
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

/** Names what the filters read besides columns; none for a view, whose query may read anything. */
export function listFilterUses(action: ReadAction | MutateAction, { facts, source }: Target): readonly string[] {
  return source === undefined ? listDependencies(conditionsOf(action), facts.relation.columns) : [];
}

/** The rows that the filters of a request match, whatever the policies are. */
export async function findAsked(
  action: ReadAction | MutateAction,
  target: Target,
  { role, probe }: Pick<WritePlace, 'role' | 'probe'>,
): Promise<Result<readonly FoundRow[], string>> {
  const statement = renderAsked(action, { key: target.shown, source: target.source });
  const isPlain = target.source === undefined && listFilterUses(action, target).length === 0;
  const asked = isPlain
    ? readRows(await probe.read(statement))
    : await probe.runFreely(role, [], async (run) => readRows(await run(statement)));
  if (!asked.ok || target.source === undefined) return asked.ok ? ok(readFound(asked.value)) : asked;
  return findKeyed(target, readFound(asked.value), (statement) => probe.read(statement));
}

/** The stored rows with the keys of these. */
export async function findKeyed(
  { facts: { name }, own }: Target,
  rows: readonly FoundRow[],
  run: (statement: Statement) => Promise<QueryReply>,
): Promise<Result<readonly FoundRow[], string>> {
  if (own.length === 0) return ok([]);
  const keys = rows.map(({ key }) => key);
  const found = readRows(await run(renderKeyed(name, own, keys)));
  return found.ok ? ok(readFound(found.value)) : found;
}

export interface WritePlace {
  readonly role: string;
  readonly settingsPrefix: string;
  readonly probe: Probe;
  /** Whether no trigger runs. */
  readonly isBare?: boolean;
}

/** The rows as a write leaves them. */
export function findWritten(
  action: MutateAction,
  target: Target,
  { role, settingsPrefix, probe, isBare = false }: WritePlace,
): Promise<Result<readonly FoundRow[], string>> {
  return probe.runFreely(role, [target.facts.role.name], async (run) => {
    if (isBare) await run({ text: 'SET LOCAL session_replication_role = replica', parameters: [] });
    const written = readRows(await run(renderWritten(action, settingsPrefix, target.shown)));
    if (!written.ok || target.source === undefined) return written.ok ? ok(readFound(written.value)) : written;
    return findKeyed(target, readFound(written.value), run);
  });
}

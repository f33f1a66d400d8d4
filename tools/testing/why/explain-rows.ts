// Which rows of a request the policies hid or refused.
import { ok } from '../../../src/contract/result.ts';
import type { MutateAction, ReadAction } from '../../../src/plan/actions/action-plan.ts';
import { decide, findRefused } from './decide-rows.ts';
import { countRows, describePolicies, type DecidedRows, labelRow, listDenied } from './describe-policies.ts';
import { type FailedRequest, describeContext } from './explain-failure.ts';
import { explainBelowReturned, explainConditions, explainEmbeds, NOT_LOOKED } from './explain-related.ts';
import { explainTriggers } from './explain-triggers.ts';
import { explainTouched } from './explain-touched.ts';
import { readsRows } from './needed-privileges.ts';
import { type Facts, type Probe, type Question, readRows } from './probe.ts';
import { isPolicyRefusal, quoteReport, type Report } from './report.ts';
import {
  conditionOn,
  conditionsOf,
  type FoundRow,
  MAX_ROWS,
  readFound,
  renderConflicting,
  renderSeen,
  restrictTo,
} from './row-statements.ts';
import {
  describeFreedom,
  findAsked,
  findKeyed,
  findTargets,
  findWritten,
  listFilterUses,
  type Target,
} from './targets.ts';

interface Circumstances extends FailedRequest {
  readonly settingsPrefix: string;
}

interface Search extends Circumstances {
  readonly target: Target;
  readonly probe: Probe;
}

/** What was found out about the rows of one table. */
interface Findings {
  /** Sentences about rows that were hidden or refused. */
  readonly lines: readonly string[];
  /** The rows that the request concerned and that no policy kept from it, named. */
  readonly free: string | undefined;
  /** Says that there are more rows. */
  readonly limit?: readonly string[];
  /** These rows. */
  readonly rows: readonly FoundRow[];
}

export async function explainRows(
  action: ReadAction | MutateAction,
  circumstances: Circumstances,
  probe: Probe,
): Promise<readonly string[]> {
  const { role, report } = circumstances;
  if (action.kind === 'mutate' && action.parts !== undefined) return explainNested(circumstances, probe);
  const name = action.kind === 'read' ? action.read.relation : action.relation.name;
  const facts = await probe.readFacts(name, role);
  if (facts === undefined) return [`The relation ${name.name} or the role ${role} cannot be looked up any more.`];
  const { notes, targets } = await findTargets(facts, probe);
  const found: Findings[] = [];
  for (const target of targets) found.push(await search(action, { ...circumstances, target, probe }));
  const lines = [...new Set([...notes, ...found.flatMap((each) => each.lines)])];
  const below = await explainEmbedded(action, { targets, found, circumstances }, probe);
  const further = [...found.flatMap(({ limit = [] }) => limit), ...below];
  if (found.some((each) => each.lines.length > 0)) return [...lines, ...further];
  const touched = await explainTouched(circumstances.script, { report, actor: role }, probe);
  const context = isPolicyRefusal(report) ? await describeContext(circumstances, probe) : [];
  if (touched.length > 0) return [...lines, ...touched, ...context, ...further];
  return [...lines, ...conclude(action, { facts, report, found, context }), ...further];
}

interface Searched {
  readonly targets: readonly Target[];
  /** One for each target. */
  readonly found: readonly Findings[];
  readonly circumstances: Circumstances;
}

/** Explains the rows below those that the role gets. */
async function explainEmbedded(
  action: ReadAction | MutateAction,
  { targets, found, circumstances: { role, report } }: Searched,
  probe: Probe,
): Promise<readonly string[]> {
  if (action.read.embeds.length === 0 || report.status >= 400) return [];
  const [[target], [findings]] = [targets, found];
  const relation = action.kind === 'read' ? action.read.relation : action.relation.name;
  if (action.kind === 'mutate' && action.mutation === 'delete')
    return [`${NOT_LOOKED}: ${relation.name} has lost its own.`];
  if (targets.length > 1) return [`${NOT_LOOKED}.`];
  if (action.kind === 'mutate' && action.mutation !== 'update')
    return explainBelowReturned({ relation, read: action.read, key: target?.shown ?? [] }, { role, report }, probe);
  const isKeyed = target !== undefined && target.shown.length > 0;
  if (isKeyed && findings?.rows.length === 0) return [];
  const kept = isKeyed ? [conditionOn(target.shown, findings?.rows ?? [])] : [];
  return explainEmbeds({ relation, source: target?.source, where: [...conditionsOf(action), ...kept] }, action.read, {
    role,
    probe,
  });
}

/** Rows of several tables, of which PostgreSQL names the one that it refused. */
async function explainNested({ role, report, script }: Circumstances, probe: Probe): Promise<readonly string[]> {
  if (!isPolicyRefusal(report))
    return ['No policy refused a row of this write. Those that it did not find are not known.'];
  const touched = await explainTouched(script, { report, actor: role }, probe);
  return touched.length > 0 ? touched : [`PostgreSQL reported ${quoteReport(report)}.`, UNKNOWN_WRITE];
}

const UNKNOWN_WRITE =
  'No policy that could be evaluated refuses a row of this request, so it concerns rows that something else writes: a trigger, a rule or another statement.';

function search(action: ReadAction | MutateAction, place: Search): Promise<Findings> {
  if (action.kind === 'read') return searchFound(action, place, [{ command: 'select', clause: 'using' }]);
  if (action.mutation === 'insert' || action.mutation === 'put') return searchInserted(action, place);
  return searchChanged(action, action.mutation, place);
}

interface Conclusion {
  readonly facts: Facts;
  readonly report: Report;
  readonly found: readonly Findings[];
  /** Where PostgreSQL refused a row. */
  readonly context: readonly string[];
}

/** What is said if no policy is to blame. */
function conclude(action: ReadAction | MutateAction, { facts, report, found, context }: Conclusion): readonly string[] {
  const { relation } = facts;
  if (isPolicyRefusal(report)) return [`PostgreSQL reported ${quoteReport(report)}.`, UNKNOWN_WRITE, ...context];
  const free = describeFreedom(facts);
  const of = action.read.embeds.length === 0 ? '' : ` of ${relation.name}`;
  const why = free === undefined ? '' : ` (${free})`;
  const other = report.status >= 400 ? [`The response is another error: ${quoteReport(report)}.`] : [];
  if (action.kind === 'mutate' && (action.mutation === 'insert' || action.mutation === 'put'))
    return [`No policy or privilege refused a row${why}.`, ...other];
  const matched = found.flatMap((each) => each.free ?? []);
  if (relation.kind === 'view') return ['No policy hid or refused a row that is known.', ...other];
  const now = action.kind === 'mutate' && report.status < 400 ? ' any more' : '';
  if (matched.length === 0)
    return [`No row of ${relation.name} matches the request${now}, whatever the policies are.`, ...other];
  const after = action.kind === 'mutate' ? ' If one is still as it was, a trigger or a rule has kept it so.' : '';
  return [
    `No policy or privilege hid or refused a row${of}${why}: the request concerns ${matched.join(', ')}.${after}`,
    ...other,
  ];
}

async function searchFound(
  action: ReadAction | MutateAction,
  place: Search,
  questions: readonly Question[],
): Promise<Findings> {
  const asked = await findAsked(action, place.target, place);
  if (!asked.ok)
    return { lines: [`The rows of the request cannot be looked up: ${asked.error}.`], free: undefined, rows: [] };
  return decideFound(action, { ...place, rows: asked.value }, questions);
}

interface Found extends Search {
  readonly rows: readonly FoundRow[];
}

async function decideFound(
  action: ReadAction | MutateAction,
  { rows, ...place }: Found,
  questions: readonly Question[],
): Promise<Findings> {
  const looked = rows.slice(0, MAX_ROWS);
  const isPartial = rows.length > MAX_ROWS;
  const decided: DecidedRows[] = [];
  for (const question of questions)
    decided.push(await decide(looked, { ...place, question, effect: 'hid', noun: 'row', isPartial }));
  const denied = new Set(decided.flatMap(listDenied));
  const allowed = [...looked.keys()].filter((row) => !denied.has(row));
  const kept = allowed.flatMap((row) => looked[row] ?? []);
  const limit = isPartial ? [`Only ${MAX_ROWS} of the matching rows were looked at.`] : [];
  const missed = await explainMissed(action, kept, place);
  const lines = [...decided.flatMap(describePolicies), ...missed];
  const [first] = decided;
  return {
    lines,
    limit,
    free: first === undefined || kept.length === 0 ? undefined : countRows(allowed, first),
    rows: kept,
  };
}

/** Explains rows that no policy of their table hides, and that the filters do not find as the role. */
async function explainMissed(
  action: ReadAction | MutateAction,
  rows: readonly FoundRow[],
  { target, role, probe }: Search,
): Promise<readonly string[]> {
  const uses = listFilterUses(action, target);
  if (uses.length === 0 || rows.length === 0 || target.shown.length === 0) return [];
  const found = readRows(await probe.readAs(role, renderSeen(action, target.shown)));
  if (!found.ok) return [];
  const seen = new Set(readFound(found.value).map(({ key }) => JSON.stringify(key)));
  const missed = rows.filter(({ key }) => !seen.has(JSON.stringify(key)));
  if (missed.length === 0) return [];
  const labels = missed.map(({ key, literal }) => labelRow(target.own, key, literal));
  const count = countRows([...missed.keys()], { labels, noun: 'row' });
  const root = { relation: target.facts.name, source: undefined, where: [conditionOn(target.shown, missed)] };
  return [
    `The filters find ${count} only if no policy restricts ${role}, since they read ${uses.join(', ')}.`,
    ...(await explainConditions(root, conditionsOf(action), { role, probe })),
  ];
}

async function searchChanged(action: MutateAction, command: 'update' | 'delete', place: Search): Promise<Findings> {
  const mustRead = readsRows(action);
  const questions: readonly Question[] = [
    { command, clause: 'using' },
    ...(mustRead ? [{ command: 'select', clause: 'using' } as const] : []),
  ];
  const hidden = action.payload?.elements === undefined ? await searchFound(action, place, questions) : NOTHING;
  const isWritten = place.report.status < 400;
  if (!isWritten && (command === 'delete' || !isPolicyRefusal(place.report))) return hidden;
  const asked = await findAsked(action, place.target, place);
  if (!asked.ok) return hidden;
  const reachable = await keepReachable(asked.value.slice(0, MAX_ROWS), place, questions);
  const { target } = place;
  const reaching = restrictTo(action, target.shown, reachable);
  if (isWritten)
    return {
      ...hidden,
      lines: [...hidden.lines, ...(reachable.length === 0 ? [] : await explainTriggers(reaching, place))],
    };
  const written = await findWritten(reaching, target, place);
  if (!written.ok) return { ...hidden, lines: [...hidden.lines, describeUnknown(written.error)] };
  const refused = await findRefused(written.value, place, { question: { command, clause: 'check' } });
  const lost = mustRead ? await findRefused(written.value, place, { question: READING }) : [];
  return { ...hidden, lines: [...new Set([...hidden.lines, ...refused, ...lost])] };
}

/** Explains rows that an upsert would change. */
async function explainExisting(
  rows: readonly FoundRow[],
  action: MutateAction,
  place: Search,
): Promise<readonly string[]> {
  const noun = 'existing row';
  return [
    ...(await findRefused(rows, place, { question: { command: 'update', clause: 'using' }, noun })),
    ...(readsRows(action) ? await findRefused(rows, place, { question: READING, noun }) : []),
  ];
}

const NOBODY = ok<readonly (readonly (string | null)[])[]>([]);
const NOTHING: Findings = { lines: [], free: undefined, rows: [] };
const NONE = ok<readonly FoundRow[]>([]);
const READING: Question = { command: 'select', clause: 'using' };

function describeUnknown(reason: string): string {
  return `What the row would become is not known: PostgreSQL reported ${reason}.`;
}

async function keepReachable(
  rows: readonly FoundRow[],
  place: Search,
  questions: readonly Question[],
): Promise<readonly FoundRow[]> {
  const denied = new Set<number>();
  for (const question of questions)
    for (const row of listDenied(await decide(rows, { ...place, question, effect: 'hid', noun: 'row' })))
      denied.add(row);
  return rows.filter((_, row) => !denied.has(row));
}

async function searchInserted(action: MutateAction, place: Search): Promise<Findings> {
  if (place.report.status < 400) return { lines: await explainTriggers(action, place), free: undefined, rows: [] };
  if (!isPolicyRefusal(place.report)) return NOTHING;
  const { target, probe } = place;
  const conflicting = target.source === undefined ? renderConflicting(action, target.own) : undefined;
  const found = conflicting === undefined ? NOBODY : readRows(await probe.read(conflicting));
  const known = action.conflict?.resolution === 'merge' && found.ok ? readFound(found.value) : [];
  const kept = await explainExisting(known, action, place);
  if (kept.length > 0) return { lines: kept, free: undefined, rows: [] };
  const written = await findWritten(action, target, place);
  if (!written.ok) return { lines: [describeUnknown(written.error)], free: undefined, rows: [] };
  const rows = written.value;
  const stored =
    action.conflict?.resolution === 'merge' ? await findKeyed(target, rows, (one) => probe.read(one)) : NONE;
  const existing = stored.ok ? stored.value : [];
  const keys = new Set(existing.map(({ key }) => JSON.stringify(key)));
  const isMerged = ({ key }: FoundRow): boolean => keys.has(JSON.stringify(key));
  // A row that is merged was first proposed as a new one, which is not known any more.
  const inserted = rows.filter((row) => !isMerged(row));
  const lines = [
    ...(await findRefused(inserted, place, { question: { command: 'insert', clause: 'check' } })),
    ...(await explainExisting(existing, action, place)),
    ...(await findRefused(rows.filter(isMerged), place, { question: { command: 'update', clause: 'check' } })),
  ];
  if (readsRows(action)) lines.push(...(await findRefused(rows, place, { question: READING })));
  return { lines: [...new Set(lines)], free: undefined, rows: [] };
}

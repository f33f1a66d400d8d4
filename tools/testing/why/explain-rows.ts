// Which rows of a request the policies hid or refused.
import { ok } from '../../../src/contract/result.ts';
import { isNestedAction } from '../../../src/plan/actions/nested-plan.ts';
import type { MutateAction, ReadAction } from '../../../src/plan/actions/action-plan.ts';
import { decide, findRefused } from './decide-rows.ts';
import { countRows, describePolicies, type DecidedRows, listDenied } from './describe-policies.ts';
import { type FailedRequest, describeContext } from './explain-failure.ts';
import { explainTriggers } from './explain-triggers.ts';
import { explainTouched } from './explain-touched.ts';
import { readsRows } from './needed-privileges.ts';
import type { Facts, Probe, Question } from './probe.ts';
import { isPolicyRefusal, quoteReport, type Report } from './report.ts';
import { type FoundRow, MAX_ROWS, restrictTo } from './row-statements.ts';
import { describeFreedom, findAsked, findKeyed, findTargets, findWritten, type Target } from './targets.ts';

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
}

export async function explainRows(
  action: ReadAction | MutateAction,
  circumstances: Circumstances,
  probe: Probe,
): Promise<readonly string[]> {
  const { role, report } = circumstances;
  if (action.kind === 'mutate' && isNestedAction(action)) return explainNested(circumstances, probe);
  const name = action.kind === 'read' ? action.read.relation : action.relation.name;
  const facts = await probe.readFacts(name, role);
  if (facts === undefined) return [`The relation ${name.name} or the role ${role} cannot be looked up any more.`];
  const { notes, targets } = await findTargets(facts, probe);
  const found: Findings[] = [];
  for (const target of targets) found.push(await search(action, { ...circumstances, target, probe }));
  const lines = [...new Set([...notes, ...found.flatMap((each) => each.lines)])];
  const embedded = action.read.embeds.length > 0 ? ['The rows of embedded relations were not looked at.'] : [];
  if (found.some((each) => each.lines.length > 0)) return [...lines, ...embedded];
  const touched = await explainTouched(circumstances.script, { report, actor: role }, probe);
  const context = isPolicyRefusal(report) ? await describeContext(circumstances, probe) : [];
  if (touched.length > 0) return [...lines, ...touched, ...context, ...embedded];
  return [...lines, ...conclude(action, { facts, report, found, context }), ...embedded];
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
    `No policy or privilege hid or refused a row${why}: the request concerns ${matched.join(', ')}.${after}`,
    ...other,
  ];
}

async function searchFound(
  action: ReadAction | MutateAction,
  place: Search,
  questions: readonly Question[],
): Promise<Findings> {
  const asked = await findAsked(action, place.target, place.probe);
  if (!asked.ok) return { lines: [`The rows of the request cannot be looked up: ${asked.error}.`], free: undefined };
  return decideFound(asked.value, place, questions);
}

async function decideFound(
  rows: readonly FoundRow[],
  place: Search,
  questions: readonly Question[],
): Promise<Findings> {
  const looked = rows.slice(0, MAX_ROWS);
  const decided: DecidedRows[] = [];
  for (const question of questions)
    decided.push(await decide(looked, { ...place, question, effect: 'hid', noun: 'row' }));
  const denied = new Set(decided.flatMap(listDenied));
  const allowed = [...looked.keys()].filter((row) => !denied.has(row));
  const [first] = decided;
  const limit = rows.length > MAX_ROWS ? [`Only ${MAX_ROWS} of the matching rows were looked at.`] : [];
  const lines = decided.flatMap(describePolicies);
  return {
    lines: lines.length === 0 ? [] : [...lines, ...limit],
    free: first === undefined || allowed.length === 0 ? undefined : countRows(allowed, first),
  };
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
  const asked = await findAsked(action, place.target, place.probe);
  if (!asked.ok) return hidden;
  const reachable = await keepReachable(asked.value, place, questions);
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

const NOTHING: Findings = { lines: [], free: undefined };
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
  if (place.report.status < 400) return { lines: await explainTriggers(action, place), free: undefined };
  if (!isPolicyRefusal(place.report)) return NOTHING;
  const { target, probe } = place;
  const written = await findWritten(action, target, place);
  if (!written.ok) return { lines: [describeUnknown(written.error)], free: undefined };
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
    ...(await findRefused(existing, place, { question: { command: 'update', clause: 'using' }, noun: 'existing row' })),
    ...(await findRefused(rows.filter(isMerged), place, { question: { command: 'update', clause: 'check' } })),
  ];
  if (readsRows(action)) lines.push(...(await findRefused(rows, place, { question: READING })));
  return { lines: [...new Set(lines)], free: undefined };
}

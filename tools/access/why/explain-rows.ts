// Which rows of a request the policies hid or refused.
import type { MutateAction, ReadAction } from '../../../src/plan/actions/action-plan.ts';
import { countRows, findVisible, READING } from './decide-rows.ts';
import { explainBelowReturned, explainConditions, explainEmbeds, NOT_LOOKED, type Place } from './explain-below.ts';
import { explainRefused } from './explain-refused.ts';
import { describeContext, type ExplainedRequest, isPolicyRefusal, quoteReport } from './failed-request.ts';
import { readsRows } from './explain-denial.ts';
import type { Facts, FoundRow, Probe, Question } from './probe.ts';
import { conditionOn, listDependencies, MAX_ROWS, renderKey, renderRows, rootOf } from './row-statements.ts';
import { describeFreedom, findRows, findTargets, type Target } from './targets.ts';
import { explainTriggers } from './triggers.ts';

/** What was found out about the rows of one table. */
interface Findings {
  readonly target: Target;
  /** Sentences about rows that were hidden. */
  readonly lines: readonly string[];
  /** The rows that the request concerned and that no policy kept from it, named. */
  readonly free: string | undefined;
  /** Says that there are more rows. */
  readonly limit?: readonly string[];
  /** These rows. */
  readonly rows: readonly FoundRow[];
}

const UNKNOWN_WRITE =
  'No policy that could be evaluated refuses a row of this request, so it concerns rows that something else writes: a trigger, a rule or another statement.';

export async function explainRows(
  action: ReadAction | MutateAction,
  request: ExplainedRequest,
  probe: Probe,
): Promise<readonly string[]> {
  const { role, report } = request;
  const isRefused = isPolicyRefusal(report);
  const isDivided = action.kind === 'mutate' && action.parts !== undefined;
  if (isDivided && !isRefused)
    return ['No policy refused a row of this write. Those that it did not find are not known.'];
  if (isDivided) {
    const refused = await explainRefused(request, { actor: role, script: await request.render(action) }, probe);
    return refused.length > 0 ? refused : [`PostgreSQL reported ${quoteReport(report)}.`, UNKNOWN_WRITE];
  }
  const { relation: name } = rootOf(action);
  const facts = await probe.readFacts(name, role);
  if (facts === undefined) return [`The relation ${name.name} or the role ${role} cannot be looked up any more.`];
  const { notes, targets } = await findTargets(facts, probe);
  const found: Findings[] = [];
  for (const target of targets) found.push(await findHidden(action, target, { role, probe }));
  const written = action.kind === 'mutate' ? await explainWrite(action, request, { found, probe }) : [];
  const lines = [...new Set([...notes, ...found.flatMap((each) => each.lines), ...written])];
  const further = [
    ...found.flatMap(({ limit = [] }) => limit),
    ...(await explainEmbedded(action, request, { found, probe })),
  ];
  if (lines.length > notes.length) return [...lines, ...further];
  const context = isRefused ? [UNKNOWN_WRITE, ...(await describeContext(request, probe))] : undefined;
  const unknown = context && [`PostgreSQL reported ${quoteReport(report)}.`, ...context];
  return [...lines, ...(unknown ?? conclude(action, request, { facts, found })), ...further];
}

interface Searched {
  /** One for each target. */
  readonly found: readonly Findings[];
  readonly probe: Probe;
}

/** Explains the rows below those that the role gets. */
async function explainEmbedded(
  action: ReadAction | MutateAction,
  { role, report }: ExplainedRequest,
  { found, probe }: Searched,
): Promise<readonly string[]> {
  const { read } = action;
  if (read.embeds.length === 0 || report.status >= 400) return [];
  const root = rootOf(action);
  const [{ target, rows } = { target: undefined, rows: [] }] = found;
  const shown = target?.shown ?? [];
  if (action.kind === 'mutate' && action.mutation === 'delete')
    return [`${NOT_LOOKED}: ${root.relation.name} has lost its own.`];
  if (found.length > 1) return [`${NOT_LOOKED}.`];
  if (action.kind === 'mutate' && action.mutation !== 'update')
    return explainBelowReturned(root.relation, { read, key: shown }, { role, report }, probe);
  if (shown.length > 0 && rows.length === 0) return [];
  const where = shown.length > 0 ? [...root.where, conditionOn(shown, rows)] : root.where;
  const way = { root: { relation: root.relation, where }, rootSource: target?.source, steps: [] };
  return explainEmbeds(way, read, { role, probe });
}

/** What is said if no policy is to blame. */
function conclude(
  action: ReadAction | MutateAction,
  { report }: ExplainedRequest,
  { facts, found }: { readonly facts: Facts; readonly found: readonly Findings[] },
): readonly string[] {
  const { relation } = facts;
  const free = describeFreedom(facts);
  const of = action.read.embeds.length === 0 ? '' : ` of ${relation.name}`;
  const why = free === undefined ? '' : ` (${free})`;
  const other = report.status >= 400 ? [`The response is another error: ${quoteReport(report)}.`] : [];
  if (isInsert(action)) return [`No policy or privilege refused a row${why}.`, ...other];
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

function isInsert(action: ReadAction | MutateAction): boolean {
  return action.kind === 'mutate' && (action.mutation === 'insert' || action.mutation === 'put');
}

/** Finds the rows that the filters of a request match, and which of them its policies hide. */
async function findHidden(
  action: ReadAction | MutateAction,
  target: Target,
  { role, probe }: Place,
): Promise<Findings> {
  const nothing = { target, lines: [], free: undefined, rows: [] };
  if (isInsert(action)) return nothing;
  const root = rootOf(action);
  // The query of a view may read anything.
  const uses = target.source === undefined ? listDependencies(root.where, target.facts.relation.columns) : [];
  const isPlain = target.source === undefined && uses.length === 0;
  const asked = await findRows({ root, steps: [] }, target, probe, isPlain ? undefined : role);
  // The rows of a patch of elements are told by its payload.
  const isPatch = action.kind === 'mutate' && action.payload?.elements !== undefined;
  if (!asked.ok) {
    const lines = isPatch ? [] : [`The rows of the request cannot be looked up: ${asked.error}.`];
    return { ...nothing, lines };
  }
  const questions: Question[] = action.kind === 'mutate' ? [{ command: commandOf(action), clause: 'using' }] : [];
  if (action.kind === 'read' || readsRows(action)) questions.push(READING);
  const visible = await findVisible(asked.value, questions, { target, probe });
  const { rows, isPartial } = visible;
  if (isPatch) return { ...nothing, rows };
  const missed = await explainMissed(action, { target, uses, rows }, { role, probe });
  const free = rows.length === 0 ? undefined : countRows(rows, visible);
  const limit = isPartial ? [`Only ${MAX_ROWS} of the matching rows were looked at.`] : [];
  return { target, lines: [...visible.lines, ...missed], free, limit, rows };
}

function commandOf({ mutation }: MutateAction): 'insert' | 'update' | 'delete' {
  return mutation === 'put' ? 'insert' : mutation;
}

interface Visible {
  readonly target: Target;
  readonly uses: readonly string[];
  readonly rows: readonly FoundRow[];
}

/** Explains rows that no policy of their table hides, and that the filters do not find as the role. */
async function explainMissed(
  action: ReadAction | MutateAction,
  { target, uses, rows }: Visible,
  { role, probe }: Place,
): Promise<readonly string[]> {
  const { shown, own } = target;
  if (uses.length === 0 || rows.length === 0 || shown.length === 0) return [];
  const root = rootOf(action);
  const statement = renderRows({ root, steps: [] }, target, renderKey);
  const found = await probe.tryAs(role, () => probe.find(statement));
  if (!found.ok) return [];
  const seen = new Set(found.value.map(({ key }) => JSON.stringify(key)));
  const missed = rows.filter(({ key }) => !seen.has(JSON.stringify(key)));
  if (missed.length === 0) return [];
  const way = { root: { relation: target.facts.name, where: [conditionOn(shown, missed)] }, steps: [] };
  return [
    `The filters find ${countRows(missed, { own })} only if no policy restricts ${role}, since they read ${uses.join(', ')}.`,
    ...(await explainConditions(way, root.where, { role, probe })),
  ];
}

/** Explains which rows a write could not leave, or did not because of triggers. */
async function explainWrite(
  action: MutateAction,
  request: ExplainedRequest,
  { found, probe }: Searched,
): Promise<readonly string[]> {
  const [first] = found;
  const isSucceeding = request.report.status < 400;
  const hasRows = first !== undefined && first.rows.length > 0;
  if (isSucceeding ? !hasRows && !isInsert(action) : !isPolicyRefusal(request.report)) return [];
  // Only the rows that it reaches, because another one could fail.
  const isKeyed = hasRows && found.length === 1 && first.target.shown.length > 0;
  const where = isKeyed ? [...action.where, conditionOn(first.target.shown, first.rows)] : action.where;
  const { direct: _direct, ...general } = action;
  const script = await request.render(isKeyed ? { ...general, where, checks: [] } : action);
  if (!isSucceeding) {
    const targets = found.map(({ target }) => target);
    return explainRefused(request, { actor: request.role, script, write: { action, targets } }, probe);
  }
  const lines: string[] = [];
  for (const { target, rows } of found)
    if (rows.length > 0 || isInsert(action))
      lines.push(...(await explainTriggers(action, { target, probe, script, rows })));
  return lines;
}

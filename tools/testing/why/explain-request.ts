// `response.explain()`: says which privilege or policy hid or refused which row (`project.md` §5 item 6). The request is
// planned once more, and its rows are looked up by a superuser, whom no policy restricts, in a savepoint.
import { authenticate } from '../../../src/auth/authenticate.ts';
import type { HttpRequest } from '../../../src/contract/http.ts';
import type { ActionPlan } from '../../../src/plan/actions/action-plan.ts';
import { planWithVisibleNames } from '../../../src/plan/plan-with-visible-names.ts';
import { type RequestContext, scriptContextOf } from '../../../src/serve/request-context.ts';
import { answerBatch } from '../../../src/extensions/batch/answer-batch.ts';
import { resolveLongQuery } from '../../../src/request/long-query.ts';
import { parseRequest } from '../../../src/request/parse-request.ts';
import { prepareAction, type PreparedScript, renderScript } from '../../../src/sql/render-script.ts';
import { describeReason } from '../../access/row-expressions.ts';
import type { PowerfulRuns } from '../session/held-transaction.ts';
import { explainBatch } from './explain-batch.ts';
import { explainCall } from './explain-call.ts';
import { type FailedRequest, describeContext } from './explain-failure.ts';
import { explainDenial } from './explain-denial.ts';
import { explainRows } from './explain-rows.ts';
import { Probe } from './probe.ts';
import { isDenial, isOtherFailure, quoteReport, readReport } from './report.ts';

export interface AnsweredRequest {
  readonly request: HttpRequest;
  readonly status: number;
  /** The value of a JSON body. */
  readonly body: unknown;
}

/**
 * @param runs of a superuser, within a transaction that is rolled back
 * @returns sentences, one on each line
 */
export async function explainRequest(
  { request, status, body }: AnsweredRequest,
  context: RequestContext,
  runs: PowerfulRuns,
): Promise<string> {
  const lines = await explain({ request, status, body }, { context, runs });
  return lines.join('\n');
}

interface Place {
  readonly context: RequestContext;
  readonly runs: PowerfulRuns;
}

async function explain(answered: AnsweredRequest, { context, runs }: Place): Promise<readonly string[]> {
  const { request: sent, status, body } = answered;
  const report = readReport(status, body);
  const early = [`The server answered before it ran a statement: ${quoteReport(report)}.`];
  const { planning, pause, dialect } = context;
  const identified = authenticate(sent, context.auth);
  if (planning === undefined || !identified.ok) return early;
  const identity = identified.value;
  const resolved = await resolveLongQuery(sent, planning.settings, pause);
  if (!resolved.ok) return early;
  const request = resolved.value;
  if (context.seams.findOwnTask?.(request) === answerBatch) {
    const explainPart = (part: AnsweredRequest): Promise<readonly string[]> => explain(part, { context, runs });
    return (await explainBatch(answered, { context, runs, explainPart })) ?? early;
  }
  const parsed = await parseRequest(request, planning.settings, pause);
  if (!parsed.ok) return early;
  const findVisibleNames = () => context.findVisibleNames(identity.role);
  const planned = await planWithVisibleNames(parsed.value, planning.context, { findVisibleNames, pause });
  if (!planned.ok) return early;
  const action = planned.value;
  const prepared = await prepare(action, context);
  if (prepared === undefined) return early;
  const script = renderScript(prepared, scriptContextOf(request, identity, context));
  const { settings, preRequest } = script.segments[0];
  const [searchPath] = settings.parameters;
  const probe = new Probe(runs, typeof searchPath === 'string' ? searchPath : '');
  const begun = await probe.begin(settings, preRequest);
  if (!begun.ok) return [`The role or the pre-request function refused the request: ${describeReason(begun.error)}.`];
  const { role } = identity;
  const isDivided = prepared.kind === 'rows' && prepared.divide !== undefined;
  const statement = isDivided ? undefined : prepared.statements.main;
  return explainAction(action, { role, report, script, statement, settingsPrefix: dialect.settingsPrefix }, probe);
}

async function prepare(action: ActionPlan, context: RequestContext): Promise<PreparedScript | undefined> {
  const prepared = prepareAction(action, context);
  if (prepared.kind === 'info' || prepared.kind === 'page') return undefined;
  const completed = prepared.kind === 'describe' ? undefined : await context.seams.completeWrite?.(prepared, context);
  if (completed === undefined) return prepared;
  return completed.ok ? completed.value : undefined;
}

interface Circumstances extends FailedRequest {
  readonly settingsPrefix: string;
}

async function explainAction(
  action: ActionPlan,
  circumstances: Circumstances,
  probe: Probe,
): Promise<readonly string[]> {
  const { report } = circumstances;
  if (action.kind === 'call') return explainCall(action, circumstances, probe);
  if (action.kind !== 'read' && action.kind !== 'mutate') return ['The request reads no rows.'];
  if (isDenial(report)) return explainDenial(action, circumstances, probe);
  if (isOtherFailure(report))
    return [
      `PostgreSQL reported ${quoteReport(report)}. That is no refusal by a privilege or a policy.`,
      ...(await describeContext(circumstances, probe)),
    ];
  return explainRows(action, circumstances, probe);
}

// `response.explain()`: says which privilege or policy hid or refused which row (`project.md` §5 item 6). The request is
// planned once more, and its rows are looked up by a superuser, whom no policy restricts, in a savepoint.
import type { HttpRequest } from '../../../src/contract/http.ts';
import { answerBatch } from '../../../src/extensions/batch/answer-batch.ts';
import type { ActionPlan } from '../../../src/plan/actions/action-plan.ts';
import { planWithVisibleNames } from '../../../src/plan/plan-with-visible-names.ts';
import { resolveLongQuery } from '../../../src/request/long-query.ts';
import { parseRequest } from '../../../src/request/parse-request.ts';
import { startWork } from '../../../src/serve/handle-request.ts';
import { type RequestContext, scriptContextOf, type Work } from '../../../src/serve/request-context.ts';
import { prepareAction, type PreparedScript, renderScript } from '../../../src/sql/render-script.ts';
import { describeReason } from '../policies/row-expressions.ts';
import { explainBatch } from './explain-batch.ts';
import { explainCall } from './explain-call.ts';
import { explainDenial } from './explain-denial.ts';
import { explainRows } from './explain-rows.ts';
import {
  describeContext,
  type ExplainedRequest,
  isDenial,
  isOtherFailure,
  quoteReport,
  readReport,
  type Report,
} from './failed-request.ts';
import { type PowerfulRuns, Probe } from './probe.ts';

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
  const report = readReport(status, body);
  const work = startWork(request, context);
  const lines = 'error' in work || 'kind' in work ? undefined : await explain(work, report, runs);
  return (lines ?? describeEarly(report)).join('\n');
}

function describeEarly(report: Report): readonly string[] {
  return [`The server answered before it ran a statement: ${quoteReport(report)}.`];
}

async function explain(work: Work, report: Report, runs: PowerfulRuns): Promise<readonly string[] | undefined> {
  const { context, planning } = work;
  const resolved = await resolveLongQuery(work.request, planning.settings, context.pause);
  if (!resolved.ok) return undefined;
  work.request = resolved.value;
  if (context.seams.findOwnTask?.(work.request) !== answerBatch) return explainSingle(work, report, runs);
  return explainBatch(work, report, {
    runs,
    explainPart: async (part, own) => (part && (await explainSingle(part, own, runs))) ?? describeEarly(own),
  });
}

/** @returns undefined if it runs no statement */
async function explainSingle(work: Work, report: Report, runs: PowerfulRuns): Promise<readonly string[] | undefined> {
  const { request, context, planning, identity } = work;
  const { pause } = context;
  const parsed = await parseRequest(request, planning.settings, pause);
  if (!parsed.ok) return undefined;
  const findVisibleNames = () => context.findVisibleNames(identity.role);
  const planned = await planWithVisibleNames(parsed.value, planning.context, { findVisibleNames, pause });
  const prepared = planned.ok ? await prepare(planned.value, context) : undefined;
  if (!planned.ok || prepared === undefined) return undefined;
  const renderPrepared = (each: PreparedScript) => renderScript(each, scriptContextOf(request, identity, context));
  const { settings, preRequest } = renderPrepared(prepared).segments[0];
  const [searchPath] = settings.parameters;
  const probe = new Probe(runs, typeof searchPath === 'string' ? searchPath : '');
  const begun = await probe.begin(settings, preRequest);
  if (!begun.ok) return [`The role or the pre-request function refused the request: ${describeReason(begun.error)}.`];
  const isDivided = prepared.kind === 'rows' && prepared.divide !== undefined;
  return explainAction(planned.value, probe, {
    role: identity.role,
    report,
    statement: isDivided ? undefined : prepared.statements.main,
    render: async (action) => {
      const again = await prepare(action, context);
      return again && renderPrepared(again);
    },
  });
}

async function prepare(action: ActionPlan, context: RequestContext): Promise<PreparedScript | undefined> {
  const prepared = prepareAction(action, context);
  if (prepared.kind === 'info' || prepared.kind === 'page') return undefined;
  const completed = prepared.kind === 'describe' ? undefined : await context.seams.completeWrite?.(prepared, context);
  if (completed === undefined) return prepared;
  return completed.ok ? completed.value : undefined;
}

async function explainAction(action: ActionPlan, probe: Probe, request: ExplainedRequest): Promise<readonly string[]> {
  const { report } = request;
  if (action.kind === 'call') return explainCall(action, request, probe);
  if (action.kind !== 'read' && action.kind !== 'mutate') return ['The request reads no rows.'];
  if (isDenial(report)) return explainDenial(action, request, probe);
  if (isOtherFailure(report))
    return [
      `PostgreSQL reported ${quoteReport(report)}. That is no refusal by a privilege or a policy.`,
      ...(await describeContext(request, probe)),
    ];
  return explainRows(action, request, probe);
}

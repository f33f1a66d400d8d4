// `response.explain()`: says which privilege or policy hid or refused which row (`project.md` §5 item 6). The request is
// planned once more, and its rows are looked up by a superuser, whom no policy restricts, in a savepoint.
import { authenticate } from '../../../src/auth/authenticate.ts';
import type { HttpRequest } from '../../../src/contract/http.ts';
import type { ActionPlan } from '../../../src/plan/actions/action-plan.ts';
import { planWithVisibleNames } from '../../../src/plan/plan-with-visible-names.ts';
import type { TransactionQuery } from '../../../src/postgres/session/query.ts';
import { type RequestContext, scriptContextOf } from '../../../src/request-context.ts';
import { isBatch } from '../../../src/request/is-batch.ts';
import { resolveLongQuery } from '../../../src/request/long-query.ts';
import { parseRequest } from '../../../src/request/parse-request.ts';
import { prepareAction, renderScript } from '../../../src/sql/render-script.ts';
import { describeReason } from '../../access/row-expressions.ts';
import { explainCall } from './explain-call.ts';
import { explainDenial } from './explain-denial.ts';
import { explainRows } from './explain-rows.ts';
import { Probe } from './probe.ts';
import { isDenial, isOtherFailure, quoteReport, readReport, type Report } from './report.ts';

export interface AnsweredRequest {
  readonly request: HttpRequest;
  readonly status: number;
  /** The value of a JSON body. */
  readonly body: unknown;
}

/**
 * @param run of a superuser, within a transaction that is rolled back
 * @returns sentences, one on each line
 */
export async function explainRequest(
  { request, status, body }: AnsweredRequest,
  context: RequestContext,
  run: TransactionQuery,
): Promise<string> {
  const report = readReport(status, body);
  const lines = await explain(request, { report, context, run });
  return lines.join('\n');
}

interface Place {
  readonly report: Report;
  readonly context: RequestContext;
  readonly run: TransactionQuery;
}

async function explain(sent: HttpRequest, { report, context, run }: Place): Promise<readonly string[]> {
  const early = [`The server answered before it ran a statement: ${quoteReport(report)}.`];
  const { planning, pause, dialect } = context;
  const identified = authenticate(sent, context.auth);
  if (planning === undefined || !identified.ok) return early;
  const identity = identified.value;
  const resolved = await resolveLongQuery(sent, planning.settings, pause);
  if (!resolved.ok) return early;
  const request = resolved.value;
  if (isBatch(request, planning.settings))
    return ['A batch is not explained as a whole. Send its requests one by one.'];
  const parsed = await parseRequest(request, planning.settings, pause);
  if (!parsed.ok) return early;
  const findVisibleNames = () => context.findVisibleNames(identity.role);
  const planned = await planWithVisibleNames(parsed.value, planning.context, { findVisibleNames, pause });
  if (!planned.ok) return early;
  const action = planned.value;
  const prepared = prepareAction(action, dialect);
  if (prepared.kind === 'info' || prepared.kind === 'page') return early;
  const script = renderScript(prepared, scriptContextOf(request, identity, context));
  const { settings, preRequest } = script.segments[0];
  const [searchPath] = settings.parameters;
  const probe = new Probe(run, typeof searchPath === 'string' ? searchPath : '');
  const begun = await probe.begin(settings, preRequest);
  if (!begun.ok) return [`The role or the pre-request function refused the request: ${describeReason(begun.error)}.`];
  return explainAction(action, { role: identity.role, report, settingsPrefix: dialect.settingsPrefix }, probe);
}

interface Circumstances {
  readonly role: string;
  readonly report: Report;
  readonly settingsPrefix: string;
}

function explainAction(
  action: ActionPlan,
  circumstances: Circumstances,
  probe: Probe,
): readonly string[] | Promise<readonly string[]> {
  const { report } = circumstances;
  if (action.kind === 'call') return explainCall(action, circumstances, probe);
  if (action.kind !== 'read' && action.kind !== 'mutate') return ['The request reads no rows.'];
  if (isDenial(report)) return explainDenial(action, circumstances, probe);
  if (isOtherFailure(report))
    return [`PostgreSQL reported ${quoteReport(report)}. That is no refusal by a privilege or a policy.`];
  return explainRows(action, circumstances, probe);
}

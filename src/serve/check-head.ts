// The way of a request whose body has not come yet: a long body is read only if the client may send it. Also decides how
// the body is read.
import type { Identity } from '../auth/authenticate.ts';
import { firstHeader, type HttpRequest } from '../contract/http.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { PlanContext } from '../plan/actions/plan-context.ts';
import { checkTarget, findTarget } from '../plan/check-target.ts';
import { planRequest } from '../plan/plan-request.ts';
import { namesUnrequestedObjects } from '../plan/plan-with-visible-names.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { findPatchFormat } from '../request/find-patch-format.ts';
import { isLongQuery, readLongQuery } from '../request/long-query.ts';
import type { Payload } from '../request/payload/payload.ts';
import { parseHead, type RequestSettings } from '../request/parse-request.ts';
import { startWork } from './handle-request.ts';
import type { RequestContext } from './request-context.ts';
import { runSlices } from '../util/slices.ts';
import { renderDenial } from '../sql/render-visible-names.ts';

/** How the body of an accepted request is read. */
export interface BodyReading {
  /** Bodies of more bytes are streamed; undefined: the body is buffered as a whole. */
  readonly arrivesAbove: number | undefined;
}

const WHOLE: BodyReading = { arrivesAbove: undefined };

export async function checkHead(request: HttpRequest, context: RequestContext): Promise<Result<BodyReading, ApiError>> {
  const work = startWork(request, context);
  if ('error' in work) return fail(work.error);
  if ('kind' in work || context.seams.findOwnTask?.(request) !== undefined) return ok(WHOLE);
  const {
    identity,
    planning: { settings, context: planning },
  } = work;
  const known = withoutLongQuery(request, settings);
  if (!known.ok) return known;
  const head = parseHead(known.value, settings);
  if (!head.ok) return head;
  const contentType =
    settings.seams.rowBodies?.findReader(request, head.value) !== undefined ||
    findPatchFormat(request, head.value, settings) !== undefined
      ? undefined
      : firstHeader(request.headers, 'content-type');
  let error = checkTarget(head.value, contentType, planning);
  if (error !== undefined && namesUnrequestedObjects(error)) {
    const visible = await context.findVisibleNames(identity.role);
    error = checkTarget(head.value, contentType, { ...planning, visible });
  }
  error ??= await checkPrivilege({ request, head: head.value, identity }, context, planning);
  return error === undefined
    ? ok({ arrivesAbove: settings.seams.rowBodies?.findArrivalSize(request, head.value) })
    : fail(error);
}

interface CheckedRequest {
  readonly request: HttpRequest;
  readonly head: ApiRequest;
  readonly identity: Identity;
}

/**
 * Asks the database whether the role may write to the relation, or call the function, at all. This costs one query for
 * each long body. The statement itself checks the privileges again, and those on the columns. A pre-request function may
 * switch to another role, so that nothing is known before it has run.
 */
async function checkPrivilege(
  { request, head, identity }: CheckedRequest,
  context: RequestContext,
  planning: PlanContext,
): Promise<ApiError | undefined> {
  const target = context.config.dbPreRequest === undefined ? findTarget(head, planning) : undefined;
  if (target === undefined) return undefined;
  const answer = await context.runScript(renderDenial(identity.role, target.name, target.privilege));
  const result = answer.ok ? answer.value[0] : undefined;
  const [line] = result?.kind === 'lines' ? result.lines : [];
  const lacking = line && DECODER.decode(line).trim();
  if (lacking !== 'schema' && lacking !== 'object') return undefined;
  const object = lacking === 'schema' ? `schema ${target.name.schema}` : `${target.kind} ${target.name.name}`;
  const message = `permission denied for ${object}`;
  const denied = {
    kind: 'database',
    report: { sqlstate: '42501', message, detail: undefined, hint: undefined },
  } as const;
  const refused = { request, identity, context };
  const { hints } = context.seams;
  // A long query is not explained either when it is known.
  if (hints === undefined || isLongQuery(request, context.settings)) return denied;
  if (target.call !== undefined) return hints.explainDeniedCall(denied, target.call, refused);
  const planned = planRequest({ ...head, payload: NO_ROWS }, planning);
  const isExplained = planned.ok && planned.value.kind === 'mutate';
  return isExplained ? hints.explainRefusal(denied, planned.value, refused) : denied;
}

const DECODER = new TextDecoder();
const NO_ROWS: Payload = { kind: 'json', source: 'json', bytes: [], isArray: true, keys: [] };
/** Checks all of a long query but its text, which is not known yet. */
function withoutLongQuery(request: HttpRequest, settings: RequestSettings): Result<HttpRequest, ApiError> {
  if (!isLongQuery(request, settings)) return ok(request);
  const resolved = runSlices(readLongQuery(request, settings));
  return resolved.ok && resolved.value.isLongQuery ? ok({ ...resolved.value, rawQuery: '' }) : resolved;
}

/** Whether the body of a request with this method is used. */
export function isBodyRead(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS' && method !== 'DELETE';
}

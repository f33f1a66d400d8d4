// Checks a request before the server reads its body, if the body is long or the client waits for `100 Continue`, and
// decides how to read the body. Once the body has been read, `handleRequest` starts again from authentication.
import { firstHeader, type HttpRequest } from '../contract/http.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { checkTarget, findTarget } from '../plan/check-target.ts';
import { planRequest } from '../plan/plan-request.ts';
import { namesUnrequestedObjects } from '../plan/plan-with-visible-names.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { findPatchFormat } from '../request/find-patch-format.ts';
import { isLongQuery, readLongQuery } from '../request/long-query.ts';
import type { Payload } from '../request/payload/payload.ts';
import { parseHead } from '../request/parse-request.ts';
import { startWork } from './handle-request.ts';
import type { RequestContext, Work } from './request-context.ts';
import { runSlices } from '../util/slices.ts';
import { renderDenial } from '../sql/render-visible-names.ts';

/** How the body of an accepted request is read. */
export interface BodyReading {
  /** Bodies of more bytes are streamed (`HttpRequest.arriving`); undefined: the body is buffered as a whole. */
  readonly arrivesAbove: number | undefined;
}

const WHOLE: BodyReading = { arrivesAbove: undefined };

export async function checkHead(request: HttpRequest, context: RequestContext): Promise<Result<BodyReading, ApiError>> {
  const work = startWork(request, context);
  if ('error' in work) return fail(work.error);
  if ('kind' in work || context.seams.findOwnTask?.(request) !== undefined) return ok(WHOLE);
  const { settings, context: planning } = work.planning;
  const resolved = isLongQuery(request, settings) ? runSlices(readLongQuery(request, settings)) : ok(request);
  if (!resolved.ok) return resolved;
  // The text of a long query is not known yet; all else of it is checked.
  const known = resolved.value.isLongQuery ? { ...resolved.value, rawQuery: '' } : resolved.value;
  const head = parseHead(known, settings);
  if (!head.ok) return head;
  const contentType =
    settings.seams.rowBodies?.findReader(request, head.value) !== undefined ||
    findPatchFormat(request, head.value, settings) !== undefined
      ? undefined
      : firstHeader(request.headers, 'content-type');
  let error = checkTarget(head.value, contentType, planning);
  if (error !== undefined && namesUnrequestedObjects(error)) {
    const visible = await context.findVisibleNames(work.identity.role);
    error = checkTarget(head.value, contentType, { ...planning, visible });
  }
  error ??= await checkPrivilege(head.value, work);
  return error === undefined
    ? ok({ arrivesAbove: settings.seams.rowBodies?.findArrivalSize(request, head.value) })
    : fail(error);
}

/**
 * Asks the database whether the role may write to the relation, or call the function, at all. This costs one query for
 * each long body. The statement itself checks the privileges again, and those on the columns. A pre-request function may
 * switch to another role, so that nothing is known before it has run.
 */
async function checkPrivilege(head: ApiRequest, work: Work): Promise<ApiError | undefined> {
  const { request, identity, context } = work;
  const planning = work.planning.context;
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
  const { hints } = context.seams;
  // Hints skip query strings of this length, so they would not explain the refusal of a long query later either.
  if (hints === undefined || isLongQuery(request, context.settings)) return denied;
  if (target.call !== undefined) return hints.explainDeniedCall(denied, target.call, work);
  const planned = planRequest({ ...head, payload: NO_ROWS }, planning);
  const isExplained = planned.ok && planned.value.kind === 'mutate';
  return isExplained ? hints.explainRefusal(denied, planned.value, work) : denied;
}

const DECODER = new TextDecoder();
const NO_ROWS: Payload = { kind: 'json', source: 'json', bytes: [], isArray: true, keys: [] };

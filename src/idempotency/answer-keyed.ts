// Answers a single request with an idempotency key: runs it once, or repeats the response that was stored.
import type { Identity } from '../auth/authenticate.ts';
import type { SchemaCache } from '../catalog/schema-cache.ts';
import type { HttpRequest, HttpResponse } from '../contract/http.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { LogPosition } from '../contract/log-position.ts';
import { explainRefusal } from '../plan/refusals/explain-refusal.ts';
import { scriptContextOf, type RequestContext } from '../request-context.ts';
import { type FailedResponse, refuse } from '../response/failed-response.ts';
import { buildHeldResponse } from '../response/held-response.ts';
import { carryPosition } from '../response/position-headers.ts';
import { nestScript } from '../sql/nest-script.ts';
import { type PreparedScript, renderHeldSegment, renderScript } from '../sql/render-script.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';
import { KeptResponse } from './keep-response.ts';
import { type KeyedRequest, STREAMED } from './keyed-request.ts';

export interface KeyedWork {
  readonly request: HttpRequest;
  readonly prepared: PreparedScript;
  readonly identity: Identity;
  readonly context: RequestContext & { readonly cache: SchemaCache };
}

export interface KeyedAnswer {
  readonly answer: Result<HttpResponse, FailedResponse>;
  readonly script: TransactionScript | undefined;
}

export async function answerKeyed(keyed: KeyedRequest, work: KeyedWork): Promise<KeyedAnswer> {
  const { request, prepared, identity, context } = work;
  const held = renderHeld(work);
  if (held.arriving !== undefined) return { answer: refuse(STREAMED), script: undefined };
  let failure: FailedResponse | undefined;
  const kept = new KeptResponse(held, keyed, async (results) => {
    const result = results.at(-1) ?? results[0];
    const built = await buildHeldResponse({ prepared, request, result }, context);
    if (built.ok) return built;
    failure = built.error;
    return fail(built.error.error);
  });
  const result = await context.runScript(kept.script);
  const built = kept.response;
  if (result.ok && built !== undefined) {
    const [last] = result.value;
    const position = last.kind === 'outcome' ? last.outcome.position : undefined;
    return { answer: ok(withPosition(built, position, work)), script: held };
  }
  const error = result.ok ? ({ kind: 'undecodableResult', details: 'no response' } as const) : result.error;
  if (failure?.error === error) return { answer: fail(failure), script: held };
  const explained = await explainRefusal(error, prepared.action, { request, identity, context });
  return { answer: refuse(explained), script: held };
}

/** Claiming a key is a write, also for a function that only reads. */
function renderHeld({ request, prepared, identity, context }: KeyedWork): TransactionScript {
  const scriptContext = scriptContextOf(request, identity, context);
  const script = renderScript(prepared, scriptContext);
  const segment = renderHeldSegment(prepared, { access: 'read write' }, scriptContext);
  const { freshness: _freshness, continue: _continue, ...rest } = script;
  const held: TransactionScript = {
    ...rest,
    access: 'read write',
    leftovers: 'all',
    mayRunConcurrently: false,
    mayStream: false,
    segments: [segment],
  };
  return prepared.kind === 'rows' && prepared.nested !== undefined ? nestScript(held, prepared.nested) : held;
}

function withPosition(response: HttpResponse, position: LogPosition | undefined, { context }: KeyedWork): HttpResponse {
  if (position === undefined) return response;
  return { ...response, headers: [...response.headers, ...carryPosition(position, context)] };
}

// Answers a single request with an idempotency key: runs it once, or repeats the response that was stored.
import { fail, ok } from '../contract/result.ts';
import { scriptContextOf, type Work } from '../request-context.ts';
import { refuse } from '../response/failed-response.ts';
import { type Answer, explain, lastOf, positionOf, respond, runScript } from '../run-prepared.ts';
import { type PreparedScript, renderHeldScript } from '../sql/render-script.ts';
import { KeptResponse } from './keep-response.ts';
import { type KeyedRequest, STREAMED } from './keyed-request.ts';

/** An action with an idempotency key. */
export interface KeyedAction {
  readonly keyed: KeyedRequest;
  readonly prepared: PreparedScript;
}

export async function answerKeyed({ keyed, prepared }: KeyedAction, work: Work): Promise<Answer> {
  const held = renderHeldScript(prepared, scriptContextOf(work.request, work.identity, work.context));
  if (held.arriving !== undefined) return refuse(STREAMED);
  const kept = new KeptResponse(held, keyed, async (results) => respond(lastOf(results), prepared, work));
  const reply = await runScript(held, work, kept.script);
  work.phases?.mark('transaction');
  if (!reply.ok) return kept.failure?.error === reply.error ? fail(kept.failure) : explain(reply.error, prepared, work);
  const { response } = kept;
  if (response === undefined) return refuse({ kind: 'undecodableResult', details: 'no response' });
  return ok({ ...response, headers: [...response.headers, ...positionOf(reply.value, prepared, work)] });
}

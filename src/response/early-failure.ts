// A reply whose body has failed already → that failure. Until the first byte has been sent, an error gets its own status.
import { isStream } from '../contract/body-stream.ts';
import { fail, type Result } from '../contract/result.ts';
import type { ScriptResults } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import { isApiError } from '../errors/is-api-error.ts';

type Reply = Result<ScriptResults, ApiError>;

export function failEarly(reply: Reply): Reply {
  const answered = reply.ok ? reply.value[0] : undefined;
  const body = answered?.kind === 'outcome' ? answered.outcome.body : undefined;
  if (!isStream(body) || !isApiError(body.failure)) return reply;
  body.cancel();
  return fail(body.failure);
}

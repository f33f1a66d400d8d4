// Replaces a response whose streamed body has already failed with that failure. No byte has been sent yet, so the error
// can still set the status.
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

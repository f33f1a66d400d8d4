// Prevents functions of the database from setting headers of a reply to a tool. Tools read from these headers whether a
// write was committed and how many rows it changed.
import { ok, type Result } from '../../contract/result.ts';
import type { ScriptResult, ScriptResults } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';

type Ran = Result<ScriptResults, ApiError>;

export async function ignoreHeaders(running: Promise<Ran>): Promise<Ran> {
  const ran = await running;
  if (!ran.ok) return ran;
  const [first, ...others] = ran.value;
  return ok([withoutHeaders(first), ...others.map(withoutHeaders)]);
}

function withoutHeaders(result: ScriptResult): ScriptResult {
  return result.kind === 'outcome' ? { ...result, outcome: { ...result.outcome, settingHeaders: undefined } } : result;
}

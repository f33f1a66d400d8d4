// The reply to a script: the results of its segments, or the error that ended the transaction.
import type { Result } from '../../contract/result.ts';
import type { ScriptResults } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';

export type ScriptReply = Result<ScriptResults, ApiError>;

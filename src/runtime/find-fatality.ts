// A failure → what to say before the process ends, for those that no retry can mend (`operations.md` §6.6).
import type { Dialect } from '../contract/dialect.ts';
import type { RenderedError } from '../errors/render-error.ts';
import type { Observation } from '../observe/observation.ts';

export interface FailureOrigin {
  readonly dialect: Dialect;
  /** Failed a query of the server's own; in that of a request, the fault may be in the database's functions. */
  readonly isInternal: boolean;
}

export function findFatality(failure: RenderedError, { dialect, isInternal }: FailureOrigin): Observation | undefined {
  const { code, message, details } = failure;
  if (code === `${dialect.errorPrefix}000` && isRefusedForGood(details)) return { kind: 'credentialsRefused', failure };
  if (code === '42P05') return { kind: 'statementExists', failure };
  if (code === '08P01' && message.includes('transaction blocks not allowed in statement pooling mode'))
    return { kind: 'statementPooling', failure };
  const isOwnFault = code === '42601' || code === `${dialect.errorPrefix}X00`;
  return isInternal && isOwnFault ? { kind: 'ownFault', failure } : undefined;
}

function isRefusedForGood(details: unknown): boolean {
  return typeof details === 'string' && /FATAL:\s+password authentication failed|no password supplied/u.test(details);
}

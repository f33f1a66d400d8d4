// Sends the WAL position of a write to the client, which returns it with its next reads (`docs/replicas.md`).
import type { HeaderList } from '../../contract/http.ts';
import { renderLogPosition } from '../../contract/log-position.ts';
import type { ScriptResult } from '../../contract/transaction.ts';
import { LOG_END, readLogEnd } from '../../sql/log-end.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { PositionCarrier } from './read-freshness.ts';

export interface PositionContext {
  readonly carrier: PositionCarrier;
  /** Public path of the API root, without a trailing slash. */
  readonly basePath: string | undefined;
}

/** Reads that return this value go to the primary. */
const UNKNOWN = 'unknown';

export function positionHeaders(
  { afterCommit }: Pick<TransactionScript, 'afterCommit'>,
  result: ScriptResult,
  { carrier: { name, kind }, basePath }: PositionContext,
): HeaderList {
  if (afterCommit !== LOG_END) return [];
  const position = result.kind === 'outcome' ? readLogEnd(result.outcome.afterCommit ?? []) : undefined;
  const text = position === undefined ? UNKNOWN : renderLogPosition(position);
  if (kind !== 'cookie') return [[name, text]];
  const cookie = `${name}=${text}; Path=${basePath || '/'}; HttpOnly; SameSite=Lax`;
  return [
    [name, text],
    ['Set-Cookie', cookie],
  ];
}

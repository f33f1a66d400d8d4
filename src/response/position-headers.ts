// Sends the WAL position of a write to the client, which returns it with its next reads (`docs/replicas.md`).
import type { AppConfig } from '../config/table/app-config.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { HeaderList } from '../contract/http.ts';
import { type LogPosition, renderLogPosition } from '../contract/log-position.ts';
import type { DbOutcome } from '../contract/transaction.ts';
import type { PlannedRows } from '../plan/actions/action-plan.ts';
import { reportsPosition } from '../plan/actions/plan-replica-use.ts';

export interface PositionContext {
  readonly dialect: Dialect;
  readonly config: Pick<AppConfig, 'dbReadYourWrites' | 'dbUriReplicas'>;
  /** Public path of the API root, without a trailing slash. */
  readonly basePath: string | undefined;
}

/** Reads that return this value go to the primary. */
const UNKNOWN = 'unknown';

export function positionHeaders(action: PlannedRows, { position }: DbOutcome, context: PositionContext): HeaderList {
  const { dbReadYourWrites: positionCarrier, dbUriReplicas } = context.config;
  if (dbUriReplicas.length === 0 || positionCarrier === 'off' || !reportsPosition(action)) return [];
  return carryPosition(position, context);
}

/** @param position of a write; undefined: unknown */
export function carryPosition(position: LogPosition | undefined, context: PositionContext): HeaderList {
  const { dbReadYourWrites: positionCarrier } = context.config;
  const name = context.dialect.positionHeader;
  const text = position === undefined ? UNKNOWN : renderLogPosition(position);
  if (positionCarrier === 'header') return [[name, text]];
  const cookie = `${name}=${text}; Path=${context.basePath || '/'}; HttpOnly; SameSite=Lax`;
  return [
    [name, text],
    ['Set-Cookie', cookie],
  ];
}

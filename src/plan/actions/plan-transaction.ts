// Decides how the transaction runs and ends, and by which headers it follows preferences (`writing.md` §12, §13).
import { type IsolationLevel, readIsolationLevel } from '../../contract/transaction.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import {
  preferenceHeaders,
  type PreferenceName,
  type Preferences,
  type PreferenceUse,
} from '../../request/preferences.ts';
import type { TransactionPlan } from './action-plan.ts';
import type { PlanContext } from './plan-context.ts';

/** @param ineffective preferences of this use that have no effect on this request */
export function planTransaction(
  request: ApiRequest,
  context: PlanContext,
  access: 'read only' | 'read write',
  use: PreferenceUse,
  ineffective: readonly PreferenceName[],
): TransactionPlan {
  const { preferences, profile, query } = request;
  const { end, ineffective: overruled } = planEnd(preferences, context.config);
  const hasPosition = access === 'read write' && end === 'commit';
  const unused = [...overruled, ...ineffective, ...(hasPosition ? [] : ['position' as const])];
  const { areTimezoneOffsetsEast } = context.dialect;
  return {
    schema: profile.schema,
    access,
    end,
    preferredIsolation: isolationOf(preferences),
    consistency: preferences.consistency,
    ...(hasPosition && preferences.position && { reportsPosition: true }),
    timezone: areTimezoneOffsetsEast
      ? preferences.timezone && toDatabaseZone(preferences.timezone)
      : preferences.timezone,
    contentProfile: profile.isNegotiated ? profile.schema : undefined,
    preferenceHeaders: preferenceHeaders(preferences, use, unused),
    ignoredText: query.ignoredText,
  };
}

/** Returns how the transaction ends, and the preference for it if it has no effect. */
export function planEnd(
  { tx }: Preferences,
  { dbTxEnd }: Pick<PlanContext['config'], 'dbTxEnd'>,
): { readonly end: 'commit' | 'rollback'; readonly ineffective: readonly PreferenceName[] } {
  const mayOverride = dbTxEnd === 'commit-allow-override' || dbTxEnd === 'rollback-allow-override';
  const usual = dbTxEnd === 'commit' || dbTxEnd === 'commit-allow-override' ? 'commit' : 'rollback';
  return mayOverride ? { end: tx ?? usual, ineffective: [] } : { end: usual, ineffective: ['tx'] };
}

export function isolationOf({ isolation }: Preferences): IsolationLevel | undefined {
  return isolation && readIsolationLevel(isolation.replaceAll('"', ''));
}

/**
 * PostgreSQL reads `05:30` the POSIX way, as west of UTC; clients mean east. An explicit zone name preserves both the
 * offset and the text that the client sent (`writing.md` §12.3).
 */
function toDatabaseZone(zone: string): string {
  const match = /^([+-]?)(\d{1,2}):(\d{2})$/u.exec(zone);
  if (match === null) return zone;
  const [, sign, hours = '', minutes = ''] = match;
  const offset = `${hours.padStart(2, '0')}:${minutes}`;
  return sign === '-' ? `<-${offset}>+${offset}` : `<+${offset}>-${offset}`;
}

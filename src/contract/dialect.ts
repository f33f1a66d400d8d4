// The two dialects as data: every name that carries a vendor's prefix, and every behaviour in which they differ. Nothing
// else in the source spells the names out, and nothing asks which of the two it speaks.
import { type Extension, EXTENSIONS } from './extensions.ts';
import type { IsolationLevel } from './transaction.ts';

export type DialectName = 'svc' | 'postgrest';

export interface Dialect extends DialectNames, DialectBehaviour {
  readonly name: DialectName;
}

export interface DialectNames {
  /** `SVC` + group + number makes an error code. */
  readonly errorPrefix: string;
  /** `application/vnd.<mediaVendor>.object+json` */
  readonly mediaVendor: string;
  /** Vendors whose media types are understood as our own, and answered under the name that was asked for. */
  readonly mediaVendorAliases: readonly string[];
  /** Prefix of in-database settings: `svc.db_schemas`. */
  readonly settingsPrefix: string;
  readonly environmentPrefix: string;
  /** Default of `db-channel`. */
  readonly channel: string;
  readonly metricsPrefix: string;
  /** The header, and the cookie, that bears a write's position. */
  readonly positionHeader: string;
  /** SQLSTATEs by which a function takes full control of the error response (`writing.md` §19.7). */
  readonly customErrorStates: readonly string[];
}

/**
 * D numbers are those of `writing.md` §0.2, but for those that name `operating.md`. Requests that the reference only
 * refuses or misreads (`reading.md` §20: null filters on embeds of function rows, hidden embeds and reused names beside
 * aggregates, an index before a bracket) are answered alike in both: no client can have come to rely on that.
 */
export interface DialectBehaviour {
  /** Where no accepted response format can be given (D1). */
  readonly unavailableMediaTypeStatus: 406 | 415;
  /** Where a request body is of an unknown type (D2); the code without its prefix. */
  readonly unsupportedContentType: { readonly code: '102' | '107'; readonly status: 400 | 415 };
  /** Filters on an embed by other operators than null; otherwise the database checks them (`reading.md` §20). */
  readonly areEmbedFiltersRefused: boolean;
  /** Casts to types that are printed as names of other objects, which the API may not serve. */
  readonly areNameCastsRefused: boolean;
  /** Text behind a complete value of the query string, or a filter's name, is ignored with a warning. */
  readonly isTrailingTextIgnored: boolean;
  /** The error for an unknown schema names it, and the exposed ones as a hint (D3). */
  readonly isUnknownSchemaNamed: boolean;
  /** A fully custom error must state its headers, be they none (D4). */
  readonly areRaisedHeadersRequired: boolean;
  /** Preferences that the reference does not have are known: `params=single-object` (D5), `consistency=strong`. */
  readonly hasOwnPreferences: boolean;
  /** `Prefer: timezone=05:30` means east of UTC, not what POSIX reads (D6). */
  readonly areTimezoneOffsetsEast: boolean;
  /** `Vary` names what tells who asks, and of which schema (`writing.md` §18.3). */
  readonly isVaryComplete: boolean;
  /** `Range-Unit` goes with every `Content-Range` (D7). */
  readonly sendsRangeUnit: boolean;
  /** `count=planned` and `count=estimated` ask the planner for the rows of a function call too (D10). */
  readonly areCallCountsPlanned: boolean;
  /** An offset beyond the total is answered in the negotiated media type, without `Proxy-Status` (D13). */
  readonly isRangeErrorPlain: boolean;
  /** Of the final statuses that the database may ask for (D14). */
  readonly highestStatus: 599 | 999;
  /** Tokens are cached although no option asks for it (`operating.md` §0 D2). */
  readonly isTokenCacheDefault: boolean;
  /** From this status on, `log-query` shows the statements of requests that are logged (`operating.md` §0 D3). */
  readonly lowestLoggedQueryStatus: 200 | 400;
  /** A session that the database ended is told in the logs as a lost connection, whatever its client was told. */
  readonly isEndedSessionLoggedAsLost: boolean;
  /** `app.settings.x = true` in a file is the text `Bool True`; otherwise `true`. */
  readonly areBareSettingsTyped: boolean;
  /** An option or variable that does not exist ends the start; otherwise it is passed over and told. */
  readonly refusesUnknownNames: boolean;
  /** Errors have hints, `/` a page for browsers and the log a line that the reference does not have. */
  readonly hasHints: boolean;
  /** Default of `extensions` (`beyond.md` §0). */
  readonly extensions: readonly Extension[];
  /** Of transactions for which nothing else states one; undefined: the database's default (`operating.md` §0 D21). */
  readonly isolation: IsolationLevel | undefined;
}

export const SVC_DIALECT: Dialect = {
  name: 'svc',
  errorPrefix: 'SVC',
  mediaVendor: 'svc',
  mediaVendorAliases: ['pgrst'],
  settingsPrefix: 'svc.',
  environmentPrefix: 'SVC_',
  channel: 'svc',
  metricsPrefix: 'svc_',
  positionHeader: 'svc-lsn',
  customErrorStates: ['SVC00', 'PGRST'],
  unavailableMediaTypeStatus: 415,
  unsupportedContentType: { code: '107', status: 415 },
  areEmbedFiltersRefused: true,
  areNameCastsRefused: true,
  isTrailingTextIgnored: false,
  isUnknownSchemaNamed: false,
  areRaisedHeadersRequired: false,
  hasOwnPreferences: true,
  areTimezoneOffsetsEast: true,
  isVaryComplete: true,
  sendsRangeUnit: true,
  areCallCountsPlanned: true,
  isRangeErrorPlain: false,
  highestStatus: 599,
  isTokenCacheDefault: false,
  lowestLoggedQueryStatus: 400,
  isEndedSessionLoggedAsLost: false,
  areBareSettingsTyped: false,
  refusesUnknownNames: true,
  hasHints: true,
  extensions: EXTENSIONS,
  isolation: undefined,
};

export const POSTGREST_DIALECT: Dialect = {
  name: 'postgrest',
  errorPrefix: 'PGRST',
  mediaVendor: 'pgrst',
  mediaVendorAliases: [],
  settingsPrefix: 'pgrst.',
  environmentPrefix: 'PGRST_',
  channel: 'pgrst',
  metricsPrefix: 'pgrst_',
  positionHeader: 'pgrst-lsn',
  customErrorStates: ['PGRST'],
  unavailableMediaTypeStatus: 406,
  unsupportedContentType: { code: '102', status: 400 },
  areEmbedFiltersRefused: false,
  areNameCastsRefused: false,
  isTrailingTextIgnored: true,
  isUnknownSchemaNamed: true,
  areRaisedHeadersRequired: true,
  hasOwnPreferences: false,
  areTimezoneOffsetsEast: false,
  isVaryComplete: false,
  sendsRangeUnit: false,
  areCallCountsPlanned: false,
  isRangeErrorPlain: true,
  highestStatus: 999,
  isTokenCacheDefault: true,
  lowestLoggedQueryStatus: 200,
  isEndedSessionLoggedAsLost: true,
  areBareSettingsTyped: true,
  refusesUnknownNames: false,
  hasHints: false,
  extensions: [],
  isolation: 'read committed',
};

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  svc: SVC_DIALECT,
  postgrest: POSTGREST_DIALECT,
};

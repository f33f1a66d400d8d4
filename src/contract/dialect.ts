// The two dialects as data: every name with a vendor prefix and every difference in behavior. No other source file
// spells these names out or asks for the dialect by name.
import { type EnabledExtensions, enableExtensions, EXTENSION_NAMES } from './extensions.ts';
import type { IsolationLevel } from './transaction.ts';

export type DialectName = 'svc' | 'postgrest';

export interface Dialect extends DialectNames, DialectBehavior {
  readonly name: DialectName;
}

export interface DialectNames {
  /** Prefix of error codes: `SVC` + group + number. */
  readonly errorPrefix: string;
  /** `application/vnd.<mediaVendor>.object+json` */
  readonly mediaVendor: string;
  /** Vendors whose media types are treated like our own and echoed under the requested name. */
  readonly mediaVendorAliases: readonly string[];
  /** Prefix of in-database settings: `svc.db_schemas`. */
  readonly settingsPrefix: string;
  /** Prefix of environment variables: `SVC_DB_URI`. */
  readonly environmentPrefix: string;
  /** Default of `db-channel`. */
  readonly channel: string;
  readonly metricsPrefix: string;
  /** Name of the header and the cookie that carry the log position of a write. */
  readonly positionHeader: string;
  /** SQLSTATEs with which a function controls the whole error response (`writing.md` §19.7). */
  readonly customErrorStates: readonly string[];
}

/**
 * D numbers refer to `writing.md` §0.2 unless they name `operating.md`. Where PostgREST only rejects or misreads a
 * request (`reading.md` §20: null filters on embeds of function rows, hidden embeds and reused names beside aggregates,
 * an index before a bracket), both dialects answer alike, because no client can rely on the old behavior.
 */
export interface DialectBehavior {
  /** Status when no accepted response format is available (D1). */
  readonly unavailableMediaTypeStatus: 406 | 415;
  /** Error for a request body of an unknown type (D2); the code omits its prefix. */
  readonly unsupportedContentType: { readonly code: '102' | '107'; readonly status: 400 | 415 };
  /** Rejects filters on an embed other than null tests; otherwise the database checks them (`reading.md` §20). */
  readonly areEmbedFiltersRefused: boolean;
  /** Rejects casts to types that print names of other objects, which the API may not expose. */
  readonly areNameCastsRefused: boolean;
  /** The error for two embeds with one key names their parent as well: `crews_messages_1` (`reading.md` §12.2). */
  readonly areRepeatedKeysNamedByParent: boolean;
  /** Ignores text after a complete query-string value or filter name, and adds a `Warning` header. */
  readonly isTrailingTextIgnored: boolean;
  /** Ignores a `limit` or `offset` that is not an integer. */
  readonly areBoundsLenient: boolean;
  /** The error for an unknown schema names it and lists the exposed schemas in the hint (D3). */
  readonly isUnknownSchemaNamed: boolean;
  /** A fully custom error must specify `headers`, even if empty (D4). */
  readonly areRaisedHeadersRequired: boolean;
  /** Accepts preferences that PostgREST does not have: `params=single-object` (D5), `consistency=strong`. */
  readonly hasOwnPreferences: boolean;
  /** `Prefer: timezone=05:30` means east of UTC, not what POSIX reads (D6). */
  readonly areTimezoneOffsetsEast: boolean;
  /** `Vary` also lists the headers that select the role and the schema (`writing.md` §18.3). */
  readonly isVaryComplete: boolean;
  /** Sends `Range-Unit` with every `Content-Range` (D7). */
  readonly sendsRangeUnit: boolean;
  /** `count=planned` and `count=estimated` also use the planner's estimate for function calls (D10). */
  readonly areCallCountsPlanned: boolean;
  /** Reports an offset beyond the total in the negotiated media type, without `Proxy-Status` (D13). */
  readonly isRangeErrorPlain: boolean;
  /** Highest final status that the database may set (D14). */
  readonly highestStatus: 599 | 999;
  /** Caches tokens unless an option disables the cache (`operating.md` §0 D2). */
  readonly isTokenCacheDefault: boolean;
  /** `log-query` logs the statements of requests that end with at least this status (`operating.md` §0 D3). */
  readonly lowestLoggedQueryStatus: 200 | 400;
  /** Logs a session ended by the database as a lost connection, whatever the client received. */
  readonly isEndedSessionLoggedAsLost: boolean;
  /** A bare `app.settings.x = true` in a file becomes the text `Bool True` instead of `true`. */
  readonly areBareSettingsTyped: boolean;
  /** Refuses to start with an unknown option or variable; otherwise ignores it and logs a warning. */
  readonly refusesUnknownNames: boolean;
  /** Rejects numbers and booleans that it cannot read; otherwise takes the default and logs a warning. */
  readonly refusesUnreadableValues: boolean;
  /** `--dump-config` shows options that PostgREST does not have even if they are unchanged. */
  readonly dumpsEveryOption: boolean;
  /** Adds what PostgREST does not have: hints in errors, an HTML page at `/` and a log line. */
  readonly hasHints: boolean;
  /** Default of `extensions` (`beyond.md` §0). */
  readonly extensions: EnabledExtensions;
  /** Isolation level of transactions that specify none; `undefined`: the database's default (`operating.md` §0 D21). */
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
  areRepeatedKeysNamedByParent: false,
  isTrailingTextIgnored: false,
  areBoundsLenient: false,
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
  refusesUnreadableValues: true,
  dumpsEveryOption: true,
  hasHints: true,
  extensions: enableExtensions(EXTENSION_NAMES),
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
  areRepeatedKeysNamedByParent: true,
  isTrailingTextIgnored: true,
  areBoundsLenient: true,
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
  refusesUnreadableValues: false,
  dumpsEveryOption: false,
  hasHints: false,
  extensions: enableExtensions([]),
  isolation: 'read committed',
};

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  svc: SVC_DIALECT,
  postgrest: POSTGREST_DIALECT,
};

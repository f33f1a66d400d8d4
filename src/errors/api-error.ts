// The reasons why a request can fail, as data. `error-catalog.ts` maps each to its code, status and texts.
import type { RawParameterType } from '../media/formats.ts';
import type { ConstraintName, QualifiedName } from '../contract/identifiers.ts';
import type { RateGrant, RateLimit } from '../contract/rate-limit.ts';
import type { MeantRow } from './row-path.ts';

/** An error as the database reported it (`writing.md` §19.1). */
export interface DatabaseReport {
  readonly sqlstate: string;
  readonly message: string;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
  /** The constraint that a row violates. */
  readonly constraint?: ConstraintName | undefined;
}

/** What the comment of a constraint says instead of PostgreSQL (`beyond.md` §5.3). */
export interface ConstraintMessage {
  readonly message: string;
  /** Columns of the constraint that the role may select. */
  readonly columns: readonly string[];
}

/**
 * What a database error reveals about the connection: its statement's name was taken, a pooler allows no transactions
 * on it, or the server ended it. Only the place where it occurred can know: functions may raise any SQLSTATE and text.
 */
export type ConnectionFault = 'statementExists' | 'statementPooling' | 'ended';

/** Both count from 1; the column counts characters. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

export interface RelationshipCandidate {
  readonly cardinality: string;
  readonly embedding: string;
  readonly relationship: string;
  /** `target!constraint`: what to write in `select` to choose this relationship. */
  readonly choice: string;
}

/** The relation whose rows the embedded rows are joined to. */
export interface NamedOrigin {
  readonly origin: string;
  /** The request itself contains this name. */
  readonly isOriginRequested: boolean;
}

export type ParseContext =
  | 'select parameter'
  | 'filter'
  | 'tree path'
  | 'order'
  | 'score'
  | 'logic tree'
  | 'logic path'
  | 'columns parameter'
  | 'distinct parameter'
  | 'on_conflict parameter'
  | 'merge parameter'
  | 'match parameter'
  | 'limit'
  | 'offset';

/** How the function was looked up; determines the wording of the error (`writing.md` §14.3). */
export type RoutineSearch =
  | { readonly kind: 'rawBody'; readonly type: RawParameterType }
  | { readonly kind: 'arguments'; readonly names: readonly string[]; readonly orWholeJson: boolean }
  | { readonly kind: 'singleObject' };

export type ApiError =
  // Connection and service state
  | { readonly kind: 'cannotConnect'; readonly details: string | undefined }
  | { readonly kind: 'connectionLost'; readonly details: string | undefined }
  /** The connection was lost after the Sync or COMMIT that commits was sent, and before its result arrived. */
  | {
      readonly kind: 'commitStatusUnknown';
      readonly details: string | undefined;
      /** Whether the request had an idempotency key, or could have one; undefined: keys are not available. */
      readonly key?: 'sent' | 'available' | undefined;
    }
  | { readonly kind: 'schemaCacheMissing' }
  | { readonly kind: 'poolTimeout' }
  /** The server cannot handle the load in time. */
  | {
      readonly kind: 'overloaded';
      readonly details: string;
      /** The option that sets the limit, if there is one. */
      readonly option: string | undefined;
    }
  | { readonly kind: 'rateExceeded'; readonly limit: RateLimit; readonly grant: RateGrant }
  | { readonly kind: 'undecodableResult'; readonly details: string }
  /** The program that embeds the API failed or misused it. */
  | { readonly kind: 'hostFailed'; readonly message: string; readonly hint: string | undefined }
  // Request
  | {
      readonly kind: 'queryParse';
      readonly context: ParseContext;
      readonly text: string;
      readonly column: number;
      readonly details: string;
      /** The parameter whose value is `text`; `undefined` if naming it would not help. */
      readonly parameter?: string | undefined;
      /** How to write what `text` seems to mean. */
      readonly remedy?: string;
    }
  | { readonly kind: 'methodNotAllowedOnRoutine'; readonly method: string }
  | {
      readonly kind: 'invalidBody';
      readonly message: string;
      readonly hint?: string | undefined;
      /** Where the text stops being valid JSON, if known. */
      readonly place?: TextPlace | undefined;
    }
  | { readonly kind: 'negativeLimit' }
  | { readonly kind: 'rangeBoundaries' }
  | { readonly kind: 'offsetBeyondTotal'; readonly offset: number; readonly total: number }
  | { readonly kind: 'putFilters' }
  | { readonly kind: 'schemaNotExposed'; readonly schema: string; readonly exposed: readonly string[] }
  | { readonly kind: 'mediaTypeUnavailable'; readonly accepted: readonly string[] }
  | { readonly kind: 'contentTypeUnsupported'; readonly contentType: string }
  /** The body of a QUERY. */
  | { readonly kind: 'queryTypeUnsupported'; readonly contentType: string; readonly accepted: string }
  | { readonly kind: 'notEmbedded'; readonly name: string; readonly alias: string | undefined }
  | { readonly kind: 'settingHeadersInvalid' }
  | { readonly kind: 'settingStatusInvalid' }
  | { readonly kind: 'putLimits' }
  | { readonly kind: 'putKeyMismatch' }
  | { readonly kind: 'notSingular'; readonly rows: number }
  | { readonly kind: 'methodUnsupported'; readonly method: string }
  | ({ readonly kind: 'relatedOrderToMany'; readonly embed: string } & NamedOrigin)
  | { readonly kind: 'embedOperator'; readonly target: string }
  | { readonly kind: 'invalidPreferences'; readonly invalid: readonly string[] }
  | { readonly kind: 'aggregatesDisabled' }
  | { readonly kind: 'maxAffectedExceeded'; readonly rows: number }
  | { readonly kind: 'invalidPath'; readonly path: string; readonly row?: MeantRow }
  | { readonly kind: 'rootDisabled' }
  | { readonly kind: 'notImplemented'; readonly feature: string }
  /** A cast to a type whose values are printed as names of other objects. */
  | { readonly kind: 'nameCast'; readonly cast: string }
  /** `after` or `before` is not a token of this relation and order. */
  | { readonly kind: 'pageTokenInvalid'; readonly parameter: 'after' | 'before' }
  /** `extension` provides the measure for some types. */
  | {
      readonly kind: 'measureUnavailable';
      readonly measure: string;
      readonly field: string;
      readonly extension: string | undefined;
    }
  | { readonly kind: 'maxAffectedNeedsSet' }
  /** Rows that a write addresses by their keys are not there, or not visible. */
  | {
      readonly kind: 'rowsNotFound';
      readonly count: number;
      /** Their indexes in the body, or their places in it as JSON pointers. */
      readonly details: string | readonly unknown[];
    }
  /** A write without a filter would affect every row. */
  | { readonly kind: 'writeUnfiltered'; readonly method: 'PATCH' | 'DELETE' }
  | {
      readonly kind: 'limitExceeded';
      /** The limit in words: `URLs have up to 100000 characters`. */
      readonly limit: string;
      /** The option that sets the limit, if there is one. */
      readonly option?: string | undefined;
      readonly status: 400 | 408 | 413 | 414 | 431;
      /** Index of the request in its batch whose response exceeded the limit. */
      readonly request?: number | undefined;
    }
  /** `cost`, `maxCost` in units of PostgreSQL's planner. */
  | {
      readonly kind: 'costExceeded';
      readonly cost: number;
      readonly maxCost: number;
      readonly role: string;
      /** Rows that the planner expects. */
      readonly rows: number;
      /** What usually makes such a request cheaper. */
      readonly remedies: readonly string[];
      /** Index of the request in its batch. */
      readonly request?: number | undefined;
    }
  /** The `Host` header, or the origin that a browser reports for the requesting page, is not allowed. */
  | { readonly kind: 'sourceNotAllowed'; readonly header: string; readonly value: string }
  /** A token in a cookie, which a browser also sends for pages of other sites. */
  | { readonly kind: 'cookieFromOtherSite' }
  /** The SDK of the Model Context Protocol is not installed. */
  | { readonly kind: 'agentsUnavailable' }
  /** A reference in a batch to an earlier response leads nowhere, or stands where it must not. */
  | {
      readonly kind: 'referenceUnresolved';
      readonly text: string;
      /** Index of the request that contains it. */
      readonly request: number;
      readonly details: string;
    }
  /** The row that was to be written is not in the state that the client expects. */
  | { readonly kind: 'conditionFailed'; readonly condition: 'exists' | 'unchanged' | 'absent' }
  /** A row in the body cannot be written with its parent. */
  | {
      readonly kind: 'nestedRow';
      /** RFC 6901, from the root of the body. */
      readonly pointer: string;
      readonly reason: string;
    }
  | KeyError
  // Schema cache
  | ({
      readonly kind: 'relationshipNotFound';
      readonly schema: string;
      readonly target: string;
      readonly hint: string | undefined;
      readonly suggestion: { readonly instead: string; readonly of: string } | undefined;
      /** A relation that has relationships with both. */
      readonly between: string | undefined;
    } & NamedOrigin)
  | ({
      readonly kind: 'relationshipAmbiguous';
      readonly target: string;
      readonly candidates: readonly RelationshipCandidate[];
    } & NamedOrigin)
  | {
      readonly kind: 'routineNotFound';
      readonly routine: QualifiedName;
      readonly search: RoutineSearch;
      /** Name of a similar function, or the function itself with other parameters: `add(a, b)`. */
      readonly suggestion: string | undefined;
    }
  | { readonly kind: 'routineAmbiguous'; readonly signatures: readonly string[] }
  | {
      readonly kind: 'columnNotFound';
      readonly column: string;
      readonly relation: string;
      /** Name of a similar column. */
      readonly suggestion: string | undefined;
      /** The body contains rows of a related relation, which the request does not ask to write. */
      readonly isRelated?: boolean;
    }
  | { readonly kind: 'relationNotFound'; readonly relation: QualifiedName; readonly suggestion: string | undefined }
  // Authentication
  | { readonly kind: 'secretMissing' }
  | {
      readonly kind: 'tokenInvalid';
      readonly message: string;
      readonly details: string | undefined;
      /** The token is well-formed, but no key verifies its signature. */
      readonly isSignatureWrong?: true;
      /** No key has the algorithm and the `kid` of the token. */
      readonly isKeyMissing?: true;
    }
  | { readonly kind: 'anonymousDisabled'; readonly isSchemeMissing?: true }
  | { readonly kind: 'claimsInvalid'; readonly message: string }
  | StreamError
  /** `retryAfter` in seconds. */
  | { readonly kind: 'issuerKeysMissing'; readonly retryAfter: number }
  // Database
  | {
      readonly kind: 'database';
      readonly report: DatabaseReport;
      readonly connectionFault?: ConnectionFault | undefined;
      /** Replaces the database's hint if the server knows a better remedy. */
      readonly remedy?: string | undefined;
      readonly constraint?: ConstraintMessage | undefined;
      /** Lines of the request body that may contain the rejected row, if the rows were inserted while they arrived. */
      readonly lines?: { readonly first: number; readonly last: number } | undefined;
      /** Index of the rejected request in its batch. */
      readonly request?: number;
    };

/** Database errors are not in the catalog; they are rendered from the database's own report. */
export type ServiceErrorKind = Exclude<ApiError['kind'], 'database'>;

export type ServiceErrors = { [K in ServiceErrorKind]: Extract<ApiError, { kind: K }> };
export type ServiceError<K extends ServiceErrorKind> = { [P in K]: ServiceErrors[P] & { readonly kind: P } }[K];

/** Why a request with an idempotency key is not executed. */
type KeyError =
  /** Another request with the same idempotency key has not ended. */
  | { readonly kind: 'keyInProgress' }
  /** The write with this idempotency key was done, but its response was too long to be stored. */
  | { readonly kind: 'responseNotKept' }
  | { readonly kind: 'keyUsed' }
  /** The keys of the subject take as many bytes as they may. */
  | { readonly kind: 'keysFull' };

/** Why a stream of events is refused, or ends. */
type StreamError =
  /** A live response has more rows than the server watches. */
  | { readonly kind: 'tooManyLiveRows'; readonly maximum: number; readonly option: string }
  /** A live response has more bytes than the memory of all can take. */
  | { readonly kind: 'liveRowsTooLong'; readonly maxBytes: number; readonly option: string }
  /** A read depends on something whose changes the server cannot see. */
  | { readonly kind: 'notWatchable'; readonly details: string }
  /** A function names a channel that streams cannot listen to. */
  | { readonly kind: 'channelRefused'; readonly reason: string };

const CONNECTION_FAILURES: ReadonlySet<ApiError['kind']> = new Set([
  'cannotConnect',
  'connectionLost',
  'commitStatusUnknown',
]);

/**
 * Decides whether an error shows that the database is unreachable. Errors raised by a request's own statements never
 * do, whatever their SQLSTATE.
 */
export function isConnectionFailure(error: ApiError): boolean {
  return error.kind === 'database' ? error.connectionFault === 'ended' : CONNECTION_FAILURES.has(error.kind);
}

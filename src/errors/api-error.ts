// Every way in which a request can fail, as data. The catalogue gives each its code, status and texts.
import type { QualifiedName } from '../contract/identifiers.ts';

/** What the database reported, in its own words (`writing.md` §19.1). */
export interface DatabaseReport {
  readonly sqlstate: string;
  readonly message: string;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
}

/**
 * What a database error says of the connection: its statement's name was taken before it was prepared, a pooler allows no
 * transactions on it, the server ended it. Known where the error arose only: functions can raise any SQLSTATE and text.
 */
export type ConnectionFault = 'statementExists' | 'statementPooling' | 'ended';

/** From 1; columns count characters. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

export interface RelationshipCandidate {
  readonly cardinality: string;
  readonly embedding: string;
  readonly relationship: string;
  /** `target!constraint`, the way to choose this one. */
  readonly choice: string;
}

/** The relation of the rows to which others are joined. */
export interface NamedOrigin {
  readonly origin: string;
  /** The name is the request's own. */
  readonly isOriginRequested: boolean;
}

export type ParseContext =
  | 'select parameter'
  | 'filter'
  | 'tree path'
  | 'order'
  | 'logic tree'
  | 'logic path'
  | 'columns parameter'
  | 'on_conflict parameter';

/** How a function was looked for, which decides the words of the answer (`writing.md` §14.3). */
export type RoutineSearch =
  | { readonly kind: 'rawBody'; readonly type: 'text' | 'xml' | 'bytea' }
  | { readonly kind: 'arguments'; readonly names: readonly string[]; readonly orWholeJson: boolean }
  | { readonly kind: 'singleObject' };

export type ApiError =
  // Connection and service state
  | { readonly kind: 'cannotConnect'; readonly details: string | undefined }
  | { readonly kind: 'connectionLost'; readonly details: string | undefined }
  /** Lost after the end of a write was sent, before its answer came. */
  | { readonly kind: 'commitStatusUnknown'; readonly details: string | undefined }
  | { readonly kind: 'schemaCacheMissing' }
  | { readonly kind: 'poolTimeout' }
  /** There is more to do than can be done in time. */
  | {
      readonly kind: 'overloaded';
      readonly details: string;
      /** Undefined: no option sets the limit. */
      readonly option: string | undefined;
    }
  | { readonly kind: 'undecodableResult'; readonly details: string }
  /** The program within whose server the API is served has not done its part. */
  | { readonly kind: 'hostFailed'; readonly message: string; readonly hint: string | undefined }
  // Request
  | {
      readonly kind: 'queryParse';
      readonly context: ParseContext;
      readonly text: string;
      readonly column: number;
      readonly details: string;
      /** Whose value the text is; undefined where that is of no help. */
      readonly parameter?: string | undefined;
    }
  | { readonly kind: 'methodNotAllowedOnRoutine'; readonly method: string }
  | {
      readonly kind: 'invalidBody';
      readonly message: string;
      /** Where JSON ends to be any; undefined: not known. */
      readonly place?: TextPlace | undefined;
    }
  | { readonly kind: 'negativeLimit' }
  | { readonly kind: 'rangeBoundaries' }
  | { readonly kind: 'offsetBeyondTotal'; readonly offset: number; readonly total: number }
  | { readonly kind: 'putFilters' }
  | { readonly kind: 'schemaNotExposed'; readonly schema: string; readonly exposed: readonly string[] }
  | { readonly kind: 'mediaTypeUnavailable'; readonly accepted: readonly string[] }
  | { readonly kind: 'contentTypeUnsupported'; readonly contentType: string }
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
  | { readonly kind: 'invalidPath' }
  | { readonly kind: 'rootDisabled' }
  | { readonly kind: 'notImplemented'; readonly feature: string }
  /** To a type whose values are printed as names of other objects. */
  | { readonly kind: 'nameCast'; readonly cast: string }
  | { readonly kind: 'maxAffectedNeedsSet' }
  /** Without a filter it would take every row. */
  | { readonly kind: 'writeUnfiltered'; readonly method: 'PATCH' | 'DELETE' }
  | {
      readonly kind: 'limitExceeded';
      /** What is allowed: `URLs have up to 100000 characters`. */
      readonly limit: string;
      /** The option that sets the limit; undefined: none does. */
      readonly option?: string | undefined;
      readonly status: 400 | 408 | 413 | 414 | 431;
    }
  /** Of the request's `Host`, or of what a browser says of the page that sends it. */
  | { readonly kind: 'sourceNotAllowed'; readonly header: string; readonly value: string }
  // Schema cache
  | ({
      readonly kind: 'relationshipNotFound';
      readonly schema: string;
      readonly target: string;
      readonly hint: string | undefined;
      readonly suggestion: { readonly instead: string; readonly of: string } | undefined;
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
      /** Function name, with parameters where the name is right: `add(a, b)`. */
      readonly suggestion: string | undefined;
    }
  | { readonly kind: 'routineAmbiguous'; readonly signatures: readonly string[] }
  | { readonly kind: 'columnNotFound'; readonly column: string; readonly relation: string }
  | { readonly kind: 'relationNotFound'; readonly relation: QualifiedName; readonly suggestion: string | undefined }
  // Authentication
  | { readonly kind: 'secretMissing' }
  | {
      readonly kind: 'tokenInvalid';
      readonly message: string;
      readonly details: string | undefined;
      /** The token is well-formed, and none of the keys made its signature. */
      readonly isSignatureWrong?: true;
    }
  | { readonly kind: 'anonymousDisabled' }
  | { readonly kind: 'claimsInvalid'; readonly message: string }
  // Database
  | {
      readonly kind: 'database';
      readonly report: DatabaseReport;
      readonly connectionFault?: ConnectionFault | undefined;
      /** What to do instead, where more is known of it than the database can tell. */
      readonly remedy?: string | undefined;
      /** Of the body, where the rows came line by line: among these is the row that was refused. */
      readonly lines?: { readonly first: number; readonly last: number } | undefined;
    };

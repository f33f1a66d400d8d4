// Maps each ApiError to the code, status and exact texts sent to clients (`writing.md` §19.4).
import type { Dialect } from '../contract/dialect.ts';
import { displayName } from '../contract/identifiers.ts';
import { printRateLimit } from '../contract/rate-limit.ts';
import type { ApiError, RoutineSearch, ServiceError, ServiceErrorKind, ServiceErrors } from './api-error.ts';
import { findUsageHint } from './usage-hints.ts';

/** The entry of a service error. The dialect's prefix completes `code` (`100` → `SVC100`). */
export interface ErrorEntry {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly details?: string | readonly unknown[] | undefined;
  readonly hint?: string | undefined;
}

type Kind = ApiError['kind'];
type ErrorOf<K extends Kind> = Extract<ApiError, { kind: K }>;

const CATALOG: { readonly [K in ServiceErrorKind]: (error: ServiceErrors[K], dialect: Dialect) => ErrorEntry } = {
  cannotConnect: (e) => entry('000', 503, { message: 'Database connection error.', details: e.details }),
  connectionLost: (e) =>
    entry('001', 503, { message: 'Database client error. Retrying the connection.', details: e.details }),
  commitStatusUnknown: (e) =>
    entry('004', 503, {
      message: 'The connection to the database was lost before the outcome of the transaction was known.',
      details: e.details,
      hint: RETRY_HINTS[e.key ?? 'none'],
    }),
  schemaCacheMissing: () => entry('002', 503, 'Could not query the database for the schema cache. Retrying.'),
  poolTimeout: () => entry('003', 504, 'Timed out acquiring connection from connection pool.'),
  overloaded: (e) =>
    entry('005', 503, {
      message: 'The server is overloaded',
      details: e.details,
      hint: e.option === undefined ? 'Try again later' : `Try again later. ${operatorHint(e.option)}`,
    }),
  rateExceeded: (e) =>
    entry('006', 429, {
      message: 'Too many requests',
      details: `A client may send ${printRateLimit(e.limit)}`,
      hint: `Try again in ${e.grant.seconds} ${e.grant.seconds === 1 ? 'second' : 'seconds'}. ${operatorHint('server-rate-limit')}`,
    }),
  keysFull: () =>
    entry('006', 429, {
      message: 'Too many idempotency keys',
      details: 'The keys of this subject and their responses take as many bytes as one subject may store',
      hint: `Keys are removed when they expire. ${operatorHint('idempotency-max-bytes')}`,
    }),
  undecodableResult: (e) => entry('X00', 500, e.details),
  hostFailed: (e) => entry('X01', 500, { message: e.message, hint: e.hint }),
  queryParse: (e) =>
    entry('100', 400, {
      message: `"failed to parse ${e.context} (${e.text})" (line 1, column ${e.column})`,
      details: e.details,
    }),
  methodNotAllowedOnRoutine: (e) => entry('101', 405, `Cannot use the ${e.method} method on RPC`),
  invalidBody: (e) => entry('102', 400, { message: e.message, hint: e.hint }),
  negativeLimit: () =>
    entry('103', 416, { message: RANGE_MESSAGE, details: 'Limit should be greater than or equal to zero.' }),
  rangeBoundaries: () =>
    entry('103', 416, {
      message: RANGE_MESSAGE,
      details: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    }),
  offsetBeyondTotal: (e) =>
    entry('103', 416, {
      message: RANGE_MESSAGE,
      details: `An offset of ${e.offset} was requested, but there are only ${e.total} rows.`,
    }),
  putFilters: () => entry('105', 405, "Filters must include all and only primary key columns with 'eq' operators"),
  schemaNotExposed: (e, dialect) => schemaNotExposedEntry(e, dialect),
  mediaTypeUnavailable: (e, { unavailableMediaTypeStatus: status }) =>
    entry('107', status, `None of these media types are available: ${e.accepted.join(', ')}`),
  contentTypeUnsupported: (e, { unsupportedContentType: { code, status } }) =>
    entry(code, status, `Content-Type not acceptable: ${e.contentType}`),
  queryTypeUnsupported: (e) => entry('107', 415, `Content-Type not acceptable: ${e.contentType}`),
  notEmbedded: (e) => notEmbeddedEntry(e),
  settingHeadersInvalid: () =>
    entry(
      '111',
      500,
      'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    ),
  settingStatusInvalid: () => entry('112', 500, 'response.status guc must be a valid status code'),
  putLimits: () => entry('114', 400, 'limit/offset querystring parameters are not allowed for PUT'),
  putKeyMismatch: () => entry('115', 400, 'Payload values do not match URL in primary key column(s)'),
  notSingular: (e) =>
    entry('116', 406, {
      message: 'Cannot coerce the result to a single JSON object',
      details: `The result contains ${e.rows} rows`,
    }),
  methodUnsupported: (e) => entry('117', 405, `Unsupported HTTP method: ${e.method}`),
  relatedOrderToMany: (e) =>
    entry('118', 400, {
      message: `A related order on '${e.embed}' is not possible`,
      details: `'${e.origin}' and '${e.embed}' do not form a many-to-one or one-to-one relationship`,
    }),
  embedOperator: (e) =>
    entry('120', 400, {
      message: `Bad operator on the '${e.target}' embedded resource`,
      details: 'Only is null or not is null filters are allowed on embedded resources',
    }),
  invalidPreferences: (e) =>
    entry('122', 400, {
      message: 'Invalid preferences given with handling=strict',
      details: `Invalid preferences: ${e.invalid.join(', ')}`,
    }),
  aggregatesDisabled: () => entry('123', 400, 'Use of aggregate functions is not allowed'),
  maxAffectedExceeded: (e) =>
    entry('124', 400, {
      message: 'Query result exceeds max-affected preference constraint',
      details: `The query affects ${e.rows} rows`,
    }),
  invalidPath: () => entry('125', 404, 'Invalid path specified in request URL'),
  rootDisabled: () => entry('126', 404, 'Root endpoint metadata is disabled'),
  notImplemented: (e) => entry('127', 400, { message: 'Feature not implemented', details: e.feature }),
  measureUnavailable: (e) =>
    entry('127', 400, {
      message: `The measure '${e.measure}' is not available for '${e.field}'`,
      details: e.extension === undefined ? undefined : `The extension '${e.extension}' provides it for its types`,
    }),
  nameCast: (e) =>
    entry('127', 400, {
      message: 'Feature not implemented',
      details: `The cast ::${e.cast} is not available.`,
      hint: 'Values of this type are names of tables, functions or roles, which the API may not serve. Select the value without the cast.',
    }),
  maxAffectedNeedsSet: () =>
    entry('128', 400, 'Function must return SETOF or TABLE when max-affected preference is used with handling=strict'),
  limitExceeded: (e) =>
    entry('129', e.status, {
      message: 'The request exceeds a limit of this server',
      details: e.limit,
      hint: e.option === undefined ? undefined : operatorHint(e.option),
    }),
  costExceeded: (e) =>
    entry('130', 400, {
      message: `The request is estimated to cost ${Math.ceil(e.cost)}, and role ${e.role} may spend ${e.maxCost}`,
      details: `Estimated rows: ${e.rows}`,
      hint: `To make the request cheaper, ${e.remedies.join(', or ')}`,
    }),
  referenceUnresolved: (e) =>
    entry('131', 400, {
      message: `The reference "${e.text}" of request ${e.request} cannot be resolved`,
      details: e.details,
    }),
  pageTokenInvalid: (e) =>
    entry('132', 400, {
      message: 'Invalid page token',
      details: `The value of '${e.parameter}' is not a token of a page of this relation in this order`,
      hint: 'Follow the links of the response with rel="next" and rel="prev", or start again without the token',
    }),
  conditionFailed: (e) => entry('133', 412, FAILED_CONDITIONS[e.condition]),
  rowsNotFound: (e) =>
    entry('134', 404, { message: `${e.count} of the rows to change were not found`, details: e.details }),
  nestedRow: (e) => {
    const details = e.pointer === '' ? '""' : e.pointer;
    return entry('135', 400, {
      message: `The nested row at ${details} cannot be written`,
      details,
      hint: e.reason,
    });
  },
  sourceNotAllowed: (e) =>
    entry('136', 403, {
      message: 'Requests from this host or origin are not allowed',
      details: `${e.header}: ${e.value}`,
      hint: 'The operator sets the allowed hosts with server-allowed-hosts',
    }),
  writeUnfiltered: (e) =>
    entry('137', 400, {
      message: `${e.method} needs a filter`,
      details: 'Without one it takes every row',
      hint: 'Add a filter; to mean every row, one that is always true, such as id=not.is.null',
    }),
  keyInProgress: () => entry('138', 409, 'A request with this idempotency key is in progress'),
  responseNotKept: () =>
    entry('138', 409, {
      message: 'A request with this idempotency key was done, but its answer was not kept',
      details: 'The change was made once and will not be made again. Read the rows with GET to see its result.',
    }),
  keyUsed: () => entry('139', 422, 'This idempotency key was used for another request'),
  tooManyLiveRows: (e) =>
    entry('140', 400, {
      message: 'The result has too many rows for a live response',
      details: `Up to ${e.maximum} rows can be watched`,
      hint: `Add a filter or a limit. ${operatorHint(e.option)}`,
    }),
  liveRowsTooLong: (e) =>
    entry('140', 400, {
      message: 'The result is too long for a live response',
      details: `All live responses together hold up to ${e.maxBytes} bytes`,
      hint: `Add a filter or a limit, or select fewer columns. ${operatorHint(e.option)}`,
    }),
  notWatchable: (e) => entry('141', 400, { message: 'This read cannot be watched', details: e.details }),
  agentsUnavailable: () =>
    entry('142', 501, {
      message: 'The server cannot serve agents, because a package is missing',
      hint: 'The operator installs @modelcontextprotocol/server beside the server',
    }),
  channelRefused: (e) => entry('143', 400, { message: 'A channel cannot be listened to', details: e.reason }),
  relationshipNotFound: (e) => relationshipNotFoundEntry(e),
  relationshipAmbiguous: (e) => relationshipAmbiguousEntry(e),
  routineNotFound: (e) => routineNotFoundEntry(e),
  routineAmbiguous: (e) =>
    entry('203', 300, {
      message: `Could not choose the best candidate function between: ${e.signatures.join(', ')}`,
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    }),
  columnNotFound: (e) =>
    entry('204', 400, `Could not find the '${e.column}' column of '${e.relation}' in the schema cache`),
  relationNotFound: (e) =>
    entry('205', 404, {
      message: `Could not find the table '${displayName(e.relation)}' in the schema cache`,
      hint:
        e.suggestion === undefined ? undefined : `Perhaps you meant the table '${e.relation.schema}.${e.suggestion}'`,
    }),
  secretMissing: () => entry('300', 500, 'Server lacks JWT secret'),
  tokenInvalid: (e) => entry('301', 401, { message: e.message, details: e.details }),
  anonymousDisabled: () => entry('302', 401, 'Anonymous access is disabled'),
  claimsInvalid: (e) => entry('303', 401, e.message),
  cookieFromOtherSite: () =>
    entry('303', 403, {
      message: "The cookie's token was sent from another site",
      hint: 'Send the token in the header Authorization. The operator names pages of other origins with server-cors-allowed-origins',
    }),
  issuerKeysMissing: () =>
    entry('304', 503, {
      message: 'The keys that verify the token could not be loaded from its issuer',
      hint: 'Try again later. The log of the server says why',
    }),
};

function operatorHint(option: string): string {
  return `The operator sets this limit with ${option}`;
}

const RETRY_HINTS = {
  none: 'The change may or may not have been applied. Check before you retry.',
  sent: 'The change may or may not have been applied. Repeat the request with the same Idempotency-Key: it takes effect once.',
  available:
    'The change may or may not have been applied. Check before you retry. A request with the header Idempotency-Key can be repeated without a check.',
} as const;

const FAILED_CONDITIONS = {
  exists: { message: 'The row does not exist', details: 'Nothing was changed' },
  unchanged: {
    message: 'The row has changed since it was read, or does not exist',
    details: 'Nothing was changed',
    hint: 'Read the row again by its primary key, and repeat the request with its new ETag',
  },
  absent: { message: 'The row exists already', details: 'Nothing was changed' },
} as const;

const RANGE_MESSAGE = 'Requested range not satisfiable';

export function describeServiceError<K extends ServiceErrorKind>(error: ServiceError<K>, dialect: Dialect): ErrorEntry {
  const describe: (error: ServiceErrors[K], dialect: Dialect) => ErrorEntry = CATALOG[error.kind];
  const described = describe(error, dialect);
  return described.hint === undefined && dialect.hasHints ? { ...described, hint: findUsageHint(error) } : described;
}

/** @param text the message, or all texts if there are others */
function entry(code: string, status: number, text: string | Omit<ErrorEntry, 'code' | 'status'>): ErrorEntry {
  return { code, status, ...(typeof text === 'string' ? { message: text } : text) };
}

function schemaNotExposedEntry(error: ErrorOf<'schemaNotExposed'>, { isUnknownSchemaNamed }: Dialect): ErrorEntry {
  const exposed = error.exposed.join(', ');
  return isUnknownSchemaNamed
    ? entry('106', 406, {
        message: `Invalid schema: ${error.schema}`,
        hint: `Only the following schemas are exposed: ${exposed}`,
      })
    : entry('106', 406, `The schema must be one of the following: ${exposed}`);
}

function notEmbeddedEntry(error: ErrorOf<'notEmbedded'>): ErrorEntry {
  const message = `'${error.name}' is not an embedded resource in this request`;
  if (error.alias === undefined)
    return entry('108', 400, {
      message,
      hint: `Verify that '${error.name}' is included in the 'select' query parameter.`,
    });
  return entry('108', 400, {
    message,
    details: 'Target names are not allowed in filters if they have an alias',
    hint: `Change '${error.name}' to '${error.alias}' in filters, orders or limits.`,
  });
}

function relationshipNotFoundEntry(error: ErrorOf<'relationshipNotFound'>): ErrorEntry {
  const { origin, target, schema, hint, suggestion } = error;
  const between = `between '${origin}' and '${target}'`;
  const using = hint === undefined ? '' : ` using the hint '${hint}'`;
  return entry('200', 400, {
    message: `Could not find a relationship ${between} in the schema cache`,
    details: `Searched for a foreign key relationship ${between}${using} in the schema '${schema}', but no matches were found.`,
    hint:
      suggestion === undefined ? undefined : `Perhaps you meant '${suggestion.instead}' instead of '${suggestion.of}'.`,
  });
}

function relationshipAmbiguousEntry(error: ErrorOf<'relationshipAmbiguous'>): ErrorEntry {
  const { origin, target, candidates } = error;
  const choices = candidates.map((candidate) => `'${candidate.choice}'`).join(', ');
  return entry('201', 300, {
    message: `Could not embed because more than one relationship was found for '${origin}' and '${target}'`,
    details: candidates.map(({ cardinality, embedding, relationship }) => ({ cardinality, embedding, relationship })),
    hint:
      candidates.length === 0
        ? undefined
        : `Try changing '${target}' to one of the following: ${choices}. Find the desired relationship in the 'details' key.`,
  });
}

function routineNotFoundEntry(error: ErrorOf<'routineNotFound'>): ErrorEntry {
  const name = displayName(error.routine);
  const { call, searched } = describeSearch(error.search);
  const hint =
    error.suggestion === undefined
      ? undefined
      : `Perhaps you meant to call the function ${error.routine.schema}.${error.suggestion}`;
  return entry('202', 404, {
    message: `Could not find the function ${name}${call} in the schema cache`,
    details: `Searched for the function ${name} ${searched}, but no matches were found in the schema cache.`,
    hint,
  });
}

function describeSearch(search: RoutineSearch): { readonly call: string; readonly searched: string } {
  if (search.kind === 'rawBody') return { call: '', searched: `with a single unnamed ${search.type} parameter` };
  if (search.kind === 'singleObject') return { call: '', searched: 'with a single json/jsonb parameter' };
  const names = search.names.join(', ');
  const fallback = search.orWholeJson ? ' or with a single unnamed json/jsonb parameter' : '';
  if (search.names.length === 0) return { call: ' without parameters', searched: `without parameters${fallback}` };
  const noun = search.names.length === 1 ? 'parameter' : 'parameters';
  return { call: `(${names})`, searched: `with ${noun} ${names}${fallback}` };
}

/** Checks whether an unknown value is an error of the catalog, for callers that cannot import the type. */
export function isApiError(value: unknown): value is ApiError {
  if (typeof value !== 'object' || value === null) return false;
  const kind: unknown = Reflect.get(value, 'kind');
  return kind === 'database' || (typeof kind === 'string' && Object.hasOwn(CATALOG, kind));
}

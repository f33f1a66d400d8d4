// The departures from PostgREST that `docs/migration.md` describes, as rules that recognize their effect on a response.
import type { DialectName } from '../../../src/contract/dialect.ts';
import { allHeaders, firstHeader } from '../../../src/contract/http.ts';
import { tryOr } from '../../support/thrown.ts';
import { isSameNumber, readErrorCode, type Difference } from '../replies/compare-replies.ts';
import type { Response } from '../replies/send-request.ts';
import type { RecordedRequest } from '../requests/recorded-request.ts';

export interface Departure {
  readonly id: string;
  readonly doc: string;
  /** Undefined: in both dialects. */
  readonly dialect?: DialectName;
  readonly explains: (difference: Difference, exchange: Answered) => boolean;
}

/** A request to which both servers responded. */
export interface Answered {
  readonly request: RecordedRequest;
  readonly old: Response;
  readonly new: Response;
}

const MAX_CONTENT_LOCATION = 4096;

export const DEPARTURES: readonly Departure[] = [
  {
    id: 'vary',
    doc: 'Responses have Vary, as in PostgREST 16; in the dialect svc it also names the headers that select role and schema',
    explains: (difference) => isHeader(difference, 'vary') && includesAll(difference.new, difference.old),
  },
  {
    id: 'exposed-headers',
    doc: 'Access-Control-Expose-Headers also names further headers that the response has',
    explains: (difference) =>
      isHeader(difference, 'access-control-expose-headers') && includesAll(difference.new, difference.old),
  },
  {
    id: 'content-location',
    doc: 'Content-Location is omitted beyond 4096 bytes',
    explains: (difference) =>
      isHeader(difference, 'content-location') &&
      difference.new === undefined &&
      (difference.old ?? '').length > MAX_CONTENT_LOCATION,
  },
  {
    id: 'warning',
    doc: 'A Warning reports text that is ignored, and filters that name the table of an embed instead of its alias',
    explains: (difference) => isHeader(difference, 'warning') && difference.old === undefined,
  },
  {
    id: 'description',
    doc: 'The API description names the server and its version; integers have the formats int32 and int64, as in PostgREST 16',
    explains: (difference, { request }) => isDescription(request.target) && isDescriptionOfServer(difference),
  },
  {
    id: 'plans',
    doc: 'The SQL differs, and with it the execution plan',
    explains: (difference, exchange) =>
      difference.kind === 'body' && hasType(exchange.old, '.plan') && hasType(exchange.new, '.plan'),
  },
  {
    id: 'empty-page',
    doc: 'limit=0 with an offset returns an empty page, not an error',
    explains: (difference, { request, old }) =>
      difference.kind === 'status' && old.status === 416 && /[?&]limit=0(?:&|$)/u.test(request.target),
  },
  {
    id: 'time-zones',
    doc: 'An unknown Prefer: timezone is always an error, as in PostgREST 16',
    explains: (difference, exchange) =>
      difference.kind === 'status' && prefers(exchange, 'timezone=') && readErrorCode(exchange.new) === '22023',
  },
  {
    id: 'answered',
    doc: 'Null filters on embeds of function rows, and aggregates beside hidden embeds or reused names, are answered instead of rejected',
    explains: (difference, exchange) =>
      difference.kind === 'status' &&
      exchange.new.status < 300 &&
      /^(?:42703|42803)$/u.test(readErrorCode(exchange.old) ?? '') &&
      /\(\)|=(?:not\.)?is\.null/u.test(
        tryOr(() => decodeURIComponent(exchange.request.target), exchange.request.target),
      ),
  },
  {
    id: 'error-prefix',
    doc: 'Error codes begin with SVC',
    dialect: 'svc',
    explains: (difference) =>
      (difference.kind === 'errorCode' && isSameNumber(difference)) ||
      (isHeader(difference, 'proxy-status') &&
        isSameNumber({ old: codeIn(difference.old), new: codeIn(difference.new) })),
  },
  {
    id: 'query-method',
    doc: 'Allow and Access-Control-Allow-Methods also name QUERY, and Accept-Query names the type of its body',
    dialect: 'svc',
    explains: (difference) =>
      (isHeader(difference, 'accept-query') && difference.old === undefined) ||
      ((isHeader(difference, 'allow') || isHeader(difference, 'access-control-allow-methods')) &&
        includesAll(difference.new, difference.old) &&
        includesAll(`${difference.old ?? ''},QUERY`, difference.new)),
  },
  {
    id: 'range-unit',
    doc: 'Range-Unit: items is sent beside Content-Range',
    dialect: 'svc',
    explains: (difference) => isHeader(difference, 'range-unit') && difference.new === 'items',
  },
  {
    id: 'media-type-status',
    doc: 'The status for no acceptable media type is 415',
    dialect: 'svc',
    explains: (difference, { old, new: other }) =>
      difference.kind === 'status' && old.status === 406 && other.status === 415,
  },
  {
    id: 'body-type',
    doc: 'A request body of an unknown type is 415 SVC107',
    dialect: 'svc',
    explains: (difference, exchange) =>
      isAnotherError(difference) &&
      exchange.old.status === 400 &&
      exchange.new.status === 415 &&
      readErrorCode(exchange.new) === 'SVC107',
  },
  {
    id: 'embed-filters',
    doc: 'A filter on an embed by another operator than null is SVC120',
    dialect: 'svc',
    explains: (difference, exchange) => isAnotherError(difference) && readErrorCode(exchange.new) === 'SVC120',
  },
  {
    id: 'name-casts',
    doc: 'Casts to types that print names of tables, functions or roles are SVC127',
    dialect: 'svc',
    explains: (difference, exchange) => isAnotherError(difference) && readErrorCode(exchange.new) === 'SVC127',
  },
  {
    id: 'hints',
    doc: 'Hints of errors suggest a fix',
    dialect: 'svc',
    explains: (difference, exchange) => isErrorText(difference, ['hint'], exchange),
  },
  {
    id: 'unknown-schema',
    doc: 'The message about an unknown schema lists the served ones',
    dialect: 'svc',
    explains: (difference, exchange) =>
      isErrorText(difference, ['message', 'hint'], exchange) && readErrorCode(exchange.new) === 'SVC106',
  },
  {
    id: 'beyond-total',
    doc: 'An offset beyond the total (416) is an error like any other: JSON, with Proxy-Status',
    dialect: 'svc',
    explains: (difference, { old, new: other }) =>
      difference.kind === 'header' &&
      /^(?:proxy-status|content-(?:type|location|profile))$/u.test(difference.name) &&
      old.status === 416 &&
      other.status === 416,
  },
  {
    id: 'time-zone-sign',
    doc: 'Prefer: timezone=05:30 is east of UTC',
    dialect: 'svc',
    explains: (difference, exchange) =>
      difference.kind === 'body' && difference.change === 'value' && prefersOffset(exchange),
  },
  {
    id: 'planned-count',
    doc: "count=planned and count=estimated of a function use the planner's estimate",
    dialect: 'svc',
    explains: (difference, exchange) =>
      (isHeader(difference, 'content-range') || difference.kind === 'status') &&
      exchange.request.target.startsWith('/rpc/') &&
      (prefers(exchange, 'count=planned') || prefers(exchange, 'count=estimated')),
  },
];

type HeaderDifference = Extract<Difference, { readonly kind: 'header' }>;

function isHeader(difference: Difference, name: string): difference is HeaderDifference {
  return difference.kind === 'header' && difference.name === name;
}

function isAnotherError(difference: Difference): boolean {
  return difference.kind !== 'header' || difference.name === 'proxy-status';
}

/** Whether a list in a header contains every item of the other. */
function includesAll(list: string | undefined, items: string | undefined): boolean {
  const split = (text = ''): readonly string[] =>
    text
      .toLowerCase()
      .split(/\s*,\s*/u)
      .filter(Boolean);
  const listed = split(list);
  return listed.length > 0 && split(items).every((item) => listed.includes(item));
}

/** Whether the root is requested. */
export function isDescription(target: string): boolean {
  return /^\/(?:\?|$)/u.test(target);
}

function isDescriptionOfServer(difference: Difference): boolean {
  if (difference.kind !== 'body') return false;
  const { place, change } = difference;
  if (/^(?:info\.|externalDocs)/u.test(place)) return true;
  return change === 'value' && place.endsWith('.format') && /"int(?:32|64)"/u.test(difference.new ?? '');
}

function isErrorText(difference: Difference, places: readonly string[], { old, new: other }: Answered): boolean {
  return difference.kind === 'body' && places.includes(difference.place) && old.status >= 400 && other.status >= 400;
}

function codeIn(proxyStatus: string | undefined): string | undefined {
  return /error=(\w+)/u.exec(proxyStatus ?? '')?.[1];
}

function hasType({ headers }: Response, part: string): boolean {
  return (firstHeader(headers, 'content-type') ?? '').includes(part);
}

function prefers({ request }: Answered, item: string): boolean {
  return allHeaders(request.headers, 'prefer').some((value) => value.includes(item));
}

function prefersOffset({ request }: Answered): boolean {
  return allHeaders(request.headers, 'prefer').some((value) => /timezone=[+-]?\d{1,2}:?\d*/u.test(value));
}

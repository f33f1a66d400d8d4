// Renders an ApiError as an HTTP response: body, status and headers (`writing.md` §19.1-§19.3).
import { isBodiless, type HeaderList, type HttpResponse } from '../contract/http.ts';
import type { Product } from '../contract/product.ts';
import { rateFieldsOf } from '../contract/rate-limit.ts';
import type { ApiError, DatabaseReport } from './api-error.ts';
import { describeServiceError } from './error-catalog.ts';
import { parseRaisedError } from './raised-error.ts';
import { statusOfReport, type ReportContext } from './sqlstate.ts';

export interface ErrorContext extends ReportContext {
  readonly product: Product;
  readonly verbosity: 'verbose' | 'minimal';
  /** Seconds until the next scheduled reconnection attempt, sent with 503. */
  readonly retryAfter: number;
}

/** An error with all its texts, ready to send. */
export interface RenderedError {
  readonly status: number;
  readonly reason: string | undefined;
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
  readonly hint: string | undefined;
  /** Of a violated constraint that has a comment. */
  readonly columns?: readonly string[] | undefined;
  /** Headers in addition to the common error headers. */
  readonly headers: HeaderList;
}

/** The request of a batch that failed. */
export interface ErrorPlace {
  /** Counts from 0. */
  readonly request: number;
  readonly id: string | undefined;
}

/** @returns the complete response, except for headers that the HTTP edge adds (Server, CORS, trace) */
export function renderError(error: ApiError, context: ErrorContext, place?: ErrorPlace): HttpResponse {
  const described = describeError(error, context);
  return {
    status: described.status,
    reason: described.reason,
    headers: mergeHeaders(
      [
        ['Content-Type', 'application/json; charset=utf-8'],
        ...proxyStatus(error, described, context),
        ...retryAfter(error, described, context),
      ],
      described.headers,
    ),
    body: isBodiless(described.status)
      ? undefined
      : new TextEncoder().encode(renderErrorBody(described, context.verbosity, place)),
  };
}

/**
 * Omitted if the commit status is unknown: a client should not be invited to repeat a change that may have been made.
 */
function retryAfter({ kind }: ApiError, { status }: RenderedError, context: ErrorContext): HeaderList {
  return status === 503 && kind !== 'commitStatusUnknown' ? [['Retry-After', String(context.retryAfter)]] : [];
}

function proxyStatus({ kind }: ApiError, { code }: RenderedError, { dialect, product }: ErrorContext): HeaderList {
  if (kind === 'offsetBeyondTotal' && dialect.isRangeErrorPlain) return [];
  return [['Proxy-Status', `${product.token}; error=${printableText(code)}`]];
}

/** Renders the JSON text of an error; logs always use `verbose`. */
export function renderErrorBody(error: RenderedError, verbosity: 'verbose' | 'minimal', place?: ErrorPlace): string {
  const { code, message, details, hint, columns } = error;
  if (verbosity === 'minimal') return JSON.stringify({ code, message, ...place });
  return JSON.stringify({ code, columns, details: details ?? null, hint: hint ?? null, message, ...place });
}

export function describeError(error: ApiError, context: ErrorContext): RenderedError {
  if (error.kind === 'database') return describeReport(error, context);
  const { code, status, message, details, hint } = describeServiceError(error, context.dialect);
  return {
    status,
    reason: undefined,
    code: context.dialect.errorPrefix + code,
    message,
    details,
    hint,
    headers: headersOf(error, message),
  };
}

function describeReport(
  { report: whole, remedy, constraint, lines }: Extract<ApiError, { kind: 'database' }>,
  context: ErrorContext,
): RenderedError {
  if (context.dialect.customErrorStates.includes(whole.sqlstate)) return describeRaised(whole, context);
  const report = {
    sqlstate: whole.sqlstate,
    message: shorten(whole.message),
    detail: shorten(whole.detail),
    hint: shorten(whole.hint),
  };
  const status = statusOfReport(report, context);
  // The detail of a violated constraint repeats values.
  const detail = constraint === undefined ? report.detail : report.message;
  return {
    status,
    reason: report.sqlstate.startsWith('PT') ? printableText(report.message) : undefined,
    code: report.sqlstate,
    message: constraint?.message ?? report.message,
    details:
      lines === undefined
        ? detail
        : [
            ...sentence(detail),
            lines.first === lines.last
              ? `Line ${lines.first} of the body`
              : `Between lines ${lines.first} and ${lines.last} of the body`,
          ].join(' '),
    hint: remedy ?? report.hint,
    columns: constraint?.columns,
    headers: status === 401 ? [['WWW-Authenticate', 'Bearer']] : [],
  };
}

/** Characters of a text of PostgreSQL, which may repeat a value of any length. */
const MAX_TEXT_LENGTH = 100_000;

function shorten<T extends string | undefined>(text: T): T | string {
  return text !== undefined && text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}

function sentence(detail: string | undefined): readonly string[] {
  if (detail === undefined) return [];
  return [detail.endsWith('.') ? detail : `${detail}.`];
}

function describeRaised(report: DatabaseReport, context: ErrorContext): RenderedError {
  const raised = parseRaisedError(report, context.dialect);
  if (raised.kind === 'custom') return { ...raised, reason: printableText(raised.reason ?? '') || undefined };
  return {
    status: 500,
    reason: undefined,
    code: `${context.dialect.errorPrefix}121`,
    message: `Could not parse JSON in the "RAISE SQLSTATE '${context.dialect.errorPrefix}'" error`,
    details: raised.details,
    hint: raised.hint,
    headers: [],
  };
}

/** Seconds after which a client may retry on an overloaded server, whatever the state of the database. */
const OVERLOAD_RETRY_AFTER_SECONDS = '1';

/** Returns the RFC 6750 challenge for authentication errors (`writing.md` §19.3), and `Retry-After` where it does not depend on the database. */
function headersOf(error: ApiError, message: string): HeaderList {
  if (error.kind === 'overloaded' || error.kind === 'keyInProgress')
    return [['Retry-After', OVERLOAD_RETRY_AFTER_SECONDS]];
  if (error.kind === 'rateExceeded')
    return [['Retry-After', String(error.grant.seconds)], ...rateFieldsOf(error.limit, error.grant)];
  if (error.kind === 'issuerKeysMissing') return [['Retry-After', String(error.retryAfter)]];
  if (error.kind === 'queryTypeUnsupported') return [['Accept-Query', error.accepted]];
  if (error.kind === 'anonymousDisabled') return [['WWW-Authenticate', 'Bearer']];
  if (error.kind !== 'tokenInvalid' && error.kind !== 'claimsInvalid') return [];
  const quoted = message.replaceAll(/["\\]/gu, String.raw`\$&`);
  return [['WWW-Authenticate', `Bearer error="invalid_token", error_description="${quoted}"`]];
}

/** Removes the characters that a status line or header must not contain. */
function printableText(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '');
}

/** Raised headers replace common headers of the same name. */
function mergeHeaders(common: HeaderList, raised: HeaderList): HeaderList {
  const names = new Set(raised.map(([name]) => name.toLowerCase()));
  return [...common.filter(([name]) => !names.has(name.toLowerCase())), ...raised];
}

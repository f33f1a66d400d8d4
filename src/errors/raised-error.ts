// Parses the fully custom error that a function raises: SQLSTATE `SVC00`, JSON in MESSAGE and DETAIL (`writing.md`
// §19.7).
import type { Dialect } from '../contract/dialect.ts';
import { isFraming, isSendable } from '../contract/http.ts';
import type { DatabaseReport } from './api-error.ts';

/** The fields of the raised JSON, or why it could not be read. */
export type RaisedError =
  | {
      readonly kind: 'custom';
      readonly status: number;
      readonly reason: string | undefined;
      readonly headers: readonly (readonly [string, string])[];
      readonly code: string;
      readonly message: string;
      readonly details: string | undefined;
      readonly hint: string | undefined;
    }
  | { readonly kind: 'unreadable'; readonly details: string; readonly hint: string };

const MESSAGE_HINT =
  "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.";
const DETAIL_HINT =
  "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.";

export function parseRaisedError(report: DatabaseReport, dialect: Dialect): RaisedError {
  const body = parseBody(report.message);
  if (body === undefined)
    return { kind: 'unreadable', details: `Invalid JSON value for MESSAGE: '${report.message}'`, hint: MESSAGE_HINT };
  if (report.detail === undefined)
    return { kind: 'unreadable', details: 'DETAIL is missing in the RAISE statement', hint: DETAIL_HINT };
  const control = parseControl(report.detail, dialect);
  if (control === undefined)
    return { kind: 'unreadable', details: `Invalid JSON value for DETAIL: '${report.detail}'`, hint: DETAIL_HINT };
  return { kind: 'custom', ...body, ...control };
}

function parseBody(text: string) {
  const object = parseObject(text);
  if (object === undefined) return undefined;
  const { code, message, details, hint } = object;
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  if (!isOptionalText(details) || !isOptionalText(hint)) return undefined;
  return { code, message, details: details ?? undefined, hint: hint ?? undefined };
}

function parseControl(text: string, { highestStatus, areRaisedHeadersRequired }: Dialect) {
  const object = parseObject(text);
  if (object === undefined) return undefined;
  const { status, status_text: reason, headers } = object;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > highestStatus)
    return undefined;
  if (!isOptionalText(reason)) return undefined;
  const pairs = parseHeaders(headers, areRaisedHeadersRequired);
  return pairs && { status, reason: reason ?? undefined, headers: pairs };
}

function parseHeaders(value: unknown, isRequired: boolean): readonly (readonly [string, string])[] | undefined {
  if (value === undefined || value === null) return isRequired ? undefined : [];
  if (!isObject(value)) return undefined;
  const pairs: [string, string][] = [];
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string' || !isSendable(name, text)) return undefined;
    if (!isFraming(name)) pairs.push([name, text]);
  }
  return pairs;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOptionalText(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === 'string';
}

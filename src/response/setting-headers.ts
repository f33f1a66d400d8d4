// Parses the settings `response.status` and `response.headers`, which override those of the response
// (`writing.md` §13.7).
import type { Dialect } from '../contract/dialect.ts';
import { isFraming, isSendable, type HeaderList, type Headers } from '../contract/http.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { DbOutcome } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';

export interface Overrides {
  readonly status: number | undefined;
  readonly headers: HeaderList;
}

const NONE = ok<Overrides>({ status: undefined, headers: [] });

export function parseOverrides(
  { settingStatus: status, settingHeaders: headers }: Pick<DbOutcome, 'settingStatus' | 'settingHeaders'>,
  dialect: Dialect,
): Result<Overrides, ApiError> {
  if (status === undefined && headers === undefined) return NONE;
  const number = status === undefined ? undefined : parseStatus(status, dialect);
  if (status !== undefined && number === undefined) return fail({ kind: 'settingStatusInvalid' });
  const list = headers === undefined ? [] : parseHeaders(headers);
  if (list === undefined) return fail({ kind: 'settingHeadersInvalid' });
  return ok({ status: number, headers: list });
}

/** Returns the list itself if nothing is listed. A listed header replaces computed headers of the same name; repeated listed headers are kept. */
export function overrideHeaders(computed: Headers, overrides: HeaderList): Headers {
  if (overrides.length === 0) return computed;
  const names = new Set(overrides.map(([name]) => name.toLowerCase()));
  return [...computed.filter(([name]) => !names.has(name.toLowerCase())), ...overrides];
}

/** Parses leading digits. Only final statuses can be sent. */
function parseStatus(text: string, { highestStatus }: Dialect): number | undefined {
  const status = Number.parseInt(/^\d+/u.exec(text)?.[0] ?? '', 10);
  return status >= 200 && status <= highestStatus ? status : undefined;
}

function parseHeaders(text: string): HeaderList | undefined {
  const list = parseJson(text);
  if (!Array.isArray(list)) return undefined;
  const headers: (readonly [string, string])[] = [];
  for (const item of list as readonly unknown[]) {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
    const [entry, ...others] = Object.entries(item);
    if (entry === undefined || others.length > 0) return undefined;
    const [name, value] = entry as [string, unknown];
    if (typeof value !== 'string' || !isSendable(name, value)) return undefined;
    if (!isFraming(name)) headers.push([name, value]);
  }
  return headers;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

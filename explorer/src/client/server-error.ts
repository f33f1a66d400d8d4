// Parses the body of an error response. All fields are undefined if a proxy, not the server, produced it.
import { parseJsonObject } from '../../../src/util/json-object.ts';

export interface ServerError {
  /** `SVC205`, or a code of PostgreSQL: `42703`. */
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly details: string | undefined;
  readonly hint: string | undefined;
  /** Index of the request of a batch that failed. */
  readonly request?: number | undefined;
}

/** Renders non-string values as JSON. */
export function readServerError(text: string): ServerError {
  const body = parseJsonObject(text) ?? {};
  const textOf = (name: string): string | undefined => {
    const value = body[name];
    if (value === undefined || value === null || value === '') return undefined;
    return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  };
  const request = body['request'];
  return {
    code: textOf('code'),
    message: textOf('message'),
    details: textOf('details'),
    hint: textOf('hint'),
    ...(typeof request === 'number' ? { request } : {}),
  };
}

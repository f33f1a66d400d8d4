// Parses the body of an error response. All fields are undefined if a proxy, not the server, produced it.

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
  const body = parseObject(text);
  const textOf = (name: string): string | undefined => {
    const value = body.get(name);
    if (value === undefined || value === null || value === '') return undefined;
    return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  };
  const request = body.get('request');
  return {
    code: textOf('code'),
    message: textOf('message'),
    details: textOf('details'),
    hint: textOf('hint'),
    ...(typeof request === 'number' ? { request } : {}),
  };
}

function parseObject(text: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
}

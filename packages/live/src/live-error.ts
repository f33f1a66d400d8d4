// Why rows do not come, or no longer.

interface ErrorFields {
  readonly cause?: unknown;
  readonly code?: unknown;
  readonly details?: unknown;
  readonly hint?: unknown;
  readonly request?: unknown;
  readonly status?: number;
  readonly retryAfter?: number | undefined;
}

export class LiveError extends Error {
  override readonly name = 'LiveError';
  /** The server's code, such as `42501`; `network`, `silent`, `protocol`, `token` and `closed` are this client's own. */
  readonly code: string | undefined;
  readonly details: string | null | undefined;
  readonly hint: string | null | undefined;
  /** The status of the response. Undefined if there was none. */
  readonly status: number | undefined;
  /** Milliseconds after which the server wants to be asked again. */
  readonly retryAfter: number | undefined;
  /** The index of the element that made the server refuse a list. */
  readonly request: number | undefined;
  /** Whether the read has ended. Otherwise, the client tries again. */
  isFinal = false;

  constructor(message: string, fields: ErrorFields) {
    super(message);
    Object.assign(this, fields);
  }
}

/** @param body the error object of the server, if it sent one */
export function serverError(status: number, body: unknown, retryAfter?: number): LiveError {
  const { message, code, details, hint, request } = (body ?? {}) as ErrorFields & { readonly message?: string };
  const fields = { code, details, hint, request, status, retryAfter };
  const error = new LiveError(message ?? `No events, but status ${status}`, fields);
  // Asking again is useless: the request itself is at fault, or nobody may see the rows.
  error.isFinal = status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status);
  return error;
}

/** Reads a response that is no stream of events. */
export async function readError(response: Response): Promise<LiveError> {
  const body: unknown = await response.json().catch(() => undefined);
  return serverError(response.status, body, readRetryAfter(response.headers.get('retry-after')));
}

/** Seconds, or a date. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  const seconds = Number(text);
  const wait = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000;
  return wait > 0 ? wait : undefined;
}

export function toLiveError(cause: unknown): LiveError {
  return cause instanceof LiveError
    ? cause
    : new LiveError(`The connection failed: ${String(cause)}`, { cause, code: 'network' });
}

// Why a write was not done, or perhaps not done.

export interface WriteErrorFields {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly hint?: string | null | undefined;
  readonly details?: string | null | undefined;
  readonly cause?: unknown;
}

/** The server refused a write: nothing of it was done, and repeating it is useless. */
export class WriteError extends Error {
  override readonly name: string = 'WriteError';
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly hint: string | null | undefined;
  readonly details: string | null | undefined;

  constructor(message: string, fields: WriteErrorFields) {
    super(message, { cause: fields.cause });
    this.status = fields.status;
    this.code = fields.code;
    this.hint = fields.hint;
    this.details = fields.details;
  }
}

/**
 * The write did not get through, or its response did not come back. It can be sent again with the same idempotency key. The
 * message names no status, because retry policies search it for one.
 */
export class UnsettledWriteError extends WriteError {
  override readonly name: string = 'UnsettledWriteError';
}

interface ServerError {
  readonly message?: string;
  readonly code?: string;
  readonly hint?: string | null;
  readonly details?: string | null;
}

const UNSETTLED = 'The write has not been confirmed';

export function networkError(cause: unknown): UnsettledWriteError {
  return new UnsettledWriteError(UNSETTLED, { cause });
}

/** Undefined: the write was done before, but its response was not kept. */
export async function readWriteError(response: Response): Promise<WriteError | undefined> {
  const { status } = response;
  const { message = `The server responded with status ${status}`, ...fields } = await readBody(response);
  const { code = '', hint, details } = fields;
  const isKeyUsed = code.endsWith('138') && status === 409;
  if (isKeyUsed && message.includes('was done')) return undefined;
  const mayPass =
    status >= 500 || [401, 408, 425, 429].includes(status) || isKeyUsed || code === '40001' || code === '40P01';
  if (!mayPass) return new WriteError(message, { status, code, hint, details });
  return new UnsettledWriteError(UNSETTLED, { status, code, hint, details, cause: new Error(message) });
}

async function readBody(response: Response): Promise<ServerError> {
  const body: unknown = await response.json().catch(() => undefined);
  return typeof body === 'object' && body !== null ? body : {};
}

// Extracts the message of a failed write, and the columns that it concerns.
import type { Exchange, ReceivedResponse } from '../client/exchange.ts';
import { readServerError } from '../client/server-error.ts';

export interface FormError {
  readonly message: string;
  readonly details: string | undefined;
  readonly hint: string | undefined;
  /** Columns named in the message. */
  readonly columns: readonly string[];
  /** Index of the request of a batch that failed. */
  readonly request?: number | undefined;
  /** Whether a privilege is missing or a policy refuses the row. */
  readonly isDenied?: boolean;
  /** Whether the row has changed since it was read. */
  readonly isOutdated?: boolean;
  /** The foreign key of other rows that refer to the row, which therefore stays. */
  readonly reference?: { readonly constraint: string; readonly table: string } | undefined;
}

/** Returns undefined if the request succeeded or is still in flight. */
export function findError(exchange: Exchange): FormError | undefined {
  if (exchange.kind === 'running') return undefined;
  if (exchange.kind === 'failed') {
    if (exchange.reason === 'cancelled')
      return plain('The request was cancelled.', 'It may or may not have taken effect.');
    return plain('The server does not respond.', 'Check that it is running, then send the request again.');
  }
  const { response } = exchange;
  return response.status < 300 ? undefined : readError(response);
}

function readError({ status, text }: ReceivedResponse): FormError {
  const { code, message = `The server returned status ${status}.`, details, hint, request } = readServerError(text);
  const isRowMissing = status === 406 && details !== undefined && /\b0 rows\b/u.test(details);
  if (isRowMissing) return plain('No matching row.', 'It was deleted, or a policy hides it. Nothing was changed.');
  if (status === 412)
    return {
      ...plain('Somebody has changed or deleted this row since you opened it.', CHANGED),
      request,
      isOutdated: true,
    };
  const isDenied = code === DENIED;
  const reference = code === REFERENCED ? readReference(message) : undefined;
  return { message, details, hint, request, isDenied, reference, columns: namedColumns(message, details ?? '') };
}

const DENIED = '42501';
const REFERENCED = '23503';

/** Reads `… violates foreign key constraint "loans_tool_id_fkey" on table "loans"`. */
function readReference(message: string): FormError['reference'] {
  const { constraint, table } =
    /^update or delete on table .* constraint "(?<constraint>(?:[^"]|"")+)" on table "(?<table>(?:[^"]|"")+)"$/u.exec(
      message,
    )?.groups ?? {};
  return constraint === undefined || table === undefined ? undefined : { constraint, table };
}

const CHANGED = 'Your changes were not saved. Load the current values, check your changes, then save again.';

function plain(message: string, hint: string): FormError {
  return { message, details: undefined, hint, columns: [] };
}

/** A message names one column; the details of a key violation can name several: `Key (a, b)=(1, 2) already exists.` */
function namedColumns(message: string, details: string): readonly string[] {
  const [, column] = /\bcolumn "((?:[^"]|"")+)"/u.exec(message) ?? [];
  const [, key] = /^Key \((.+?)\)=\(/u.exec(details) ?? [];
  const ofKey = (key ?? '').split(', ').map((name) => name.replace(/^"(.*)"$/u, '$1').replaceAll('""', '"'));
  return column === undefined ? ofKey.filter((name) => name !== '') : [column];
}

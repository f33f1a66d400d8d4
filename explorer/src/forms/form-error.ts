// What came of a write that failed → what is the matter, in the server's words, and the columns that it is about.
import type { Exchange, ReceivedResponse } from '../client/exchange.ts';
import { readServerError } from '../client/server-error.ts';

export interface FormError {
  readonly message: string;
  readonly details: string | undefined;
  readonly hint: string | undefined;
  /** Those that the message names. */
  readonly columns: readonly string[];
}

/** undefined where it has succeeded, or is under way. */
export function findError(exchange: Exchange): FormError | undefined {
  if (exchange.kind === 'running') return undefined;
  if (exchange.kind === 'failed') {
    if (exchange.reason === 'cancelled')
      return plain('The request was cancelled.', 'Whether it took effect is not known.');
    return plain('The server does not answer.', 'Look whether it runs, then send the request again.');
  }
  const { response } = exchange;
  return response.status < 300 ? undefined : readError(response);
}

function readError({ status, text }: ReceivedResponse): FormError {
  const { message = `The answer was ${status}.`, details, hint } = readServerError(text);
  const isRowMissing = status === 406 && details !== undefined && /\b0 rows\b/u.test(details);
  if (isRowMissing) return plain('No row was met.', 'It is gone, or a policy keeps it from you. Nothing was changed.');
  return { message, details, hint, columns: namedColumns(message, details ?? '') };
}

function plain(message: string, hint: string): FormError {
  return { message, details: undefined, hint, columns: [] };
}

/** PostgreSQL's messages name one column, the details of broken keys several: `Key (a, b)=(1, 2) already exists.` */
function namedColumns(message: string, details: string): readonly string[] {
  const [, column] = /\bcolumn "((?:[^"]|"")+)"/u.exec(message) ?? [];
  const [, key] = /^Key \((.+?)\)=\(/u.exec(details) ?? [];
  const ofKey = (key ?? '').split(', ').map((name) => name.replace(/^"(.*)"$/u, '$1').replaceAll('""', '"'));
  return column === undefined ? ofKey.filter((name) => name !== '') : [column];
}

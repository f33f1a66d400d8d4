// Advice for errors of the server, other than missing privileges.
import type { ReceivedResponse } from '../client/exchange.ts';
import { readServerError, type ServerError } from '../client/server-error.ts';

/** Always returns a message, even if a proxy produced the response. */
export function readError({ text, status }: ReceivedResponse): ServerError & { readonly message: string } {
  const error = readServerError(text);
  const unread = text.trim() === '' ? `The server returned status ${status} without a message.` : text.slice(0, 2000);
  return { ...error, message: error.message ?? unread };
}

/** Keyed by the last three digits of the server's error codes. */
const BY_SERVER_CODE: Readonly<Record<string, string>> = {
  '000': 'The database is unreachable. The server reconnects automatically; run the request again in a moment.',
  '001': 'The database is unreachable. The server reconnects automatically; run the request again in a moment.',
  '002': 'The server is still loading the schema. Run the request again in a moment.',
  '003': 'Timed out waiting for a database connection. Run the request again in a moment.',
  '100': 'Fix the marked part of the request.',
  '101': 'GET cannot call this function, because it changes data. Use its form instead.',
  '103': 'The offset is past the last row. Go back to the first page.',
  '106': 'Choose one of the exposed schemas.',
  '108': 'Add the embed to select to filter on it.',
  '118': 'Only columns of to-one embeds can order rows.',
  '123': 'The operator of the server can enable aggregates with db-aggregates-enabled.',
  '200': 'To add an embed, click its relationship in the builder.',
  '201': 'Add one of the listed hints to the embed with !, or click the relationship in the builder.',
  '202': 'Check the function name and its arguments. The sidebar lists all functions that you can call.',
  '203': 'Several overloads match. Add arguments or casts.',
  '205': 'Check the name. The sidebar lists all tables and views that you can read.',
  '300': 'The server cannot verify tokens until its operator sets jwt-secret.',
};

const BY_SQLSTATE: Readonly<Record<string, string>> = {
  '22P02': 'A value does not match the type of its column. Fix the value.',
  '22007': 'A date or time has an invalid format. Examples: 2026-03-01, 09:30.',
  '42703': 'The column does not exist. The builder lists all columns.',
  '42883': 'The operator does not support the type of the column. Choose another operator, or cast the column.',
  '57014': 'The request timed out. Request fewer rows, filter by an indexed column, or check the plan.',
  '25006': 'GET cannot change data. Call the function with its form instead.',
};

const BY_STATUS: Readonly<Record<number, string>> = {
  404: 'Check the name. The sidebar lists everything that you can read.',
  406: 'The response is not available in the requested format. Try another view.',
  413: 'The request or response exceeds the size limit of the server. Request fewer rows.',
  414: 'The URL exceeds the length limit of the server. Shorten the request.',
  416: 'The offset is past the last row. Go back to the first page.',
  429: 'The server is overloaded. Run the request again in a moment.',
  503: 'The server or its database is temporarily unavailable. Run the request again in a moment.',
  504: 'The request timed out. Request fewer rows, filter by an indexed column, or check the plan.',
};

export function adviseOn(error: ServerError, status: number): string | undefined {
  const code = error.code ?? '';
  const own = /^[A-Z]{3,}(?<number>\d{3})$/u.exec(code)?.groups?.['number'];
  return (own === undefined ? BY_SQLSTATE[code] : BY_SERVER_CODE[own]) ?? BY_STATUS[status];
}

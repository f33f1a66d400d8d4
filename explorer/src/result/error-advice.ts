// What one can do about an error that the server has answered with, unless it is a matter of rights.
import type { ReceivedResponse } from '../client/exchange.ts';
import { readServerError, type ServerError } from '../client/server-error.ts';

/** With some words whatever has answered. */
export function readError({ text, status }: ReceivedResponse): ServerError & { readonly message: string } {
  const error = readServerError(text);
  const unread = text.trim() === '' ? `The server answered ${status} and said nothing more.` : text.slice(0, 2000);
  return { ...error, message: error.message ?? unread };
}

/** The name that the server suggests in place of one that it does not know. */
export function suggestedRelation({ hint }: ServerError): string | undefined {
  return /^Perhaps you meant the table '(?:[^'.]*\.)?(?<name>.+)'$/u.exec(hint ?? '')?.groups?.['name'];
}

/** By the last three digits of the server's own codes. */
const BY_SERVER_CODE: Readonly<Record<string, string>> = {
  '000': 'The database cannot be reached. The server tries again by itself; run the request again in a moment.',
  '001': 'The database cannot be reached. The server tries again by itself; run the request again in a moment.',
  '002': 'The server is still reading the schema. Run the request again in a moment.',
  '003': 'All connections to the database were in use for too long. Run the request again in a moment.',
  '100': 'Correct the request where it is marked.',
  '101': 'This function changes data, which GET may not. Call it by its form instead.',
  '103': 'There are fewer rows than that. Go back to the first page.',
  '106': 'Choose one of the schemas that the server offers.',
  '108': 'A filter on an embed needs that embed in select.',
  '118': 'Order by a column of an embed only where each row has at most one: a to-one relationship.',
  '123': 'Whoever runs the server can allow them with the option db-aggregates-enabled.',
  '200': 'Add the embed by clicking its relationship in the builder.',
  '201': 'Add !hint to the embed, as one of the ways that are listed, or click the relationship in the builder.',
  '202': 'Check the name of the function and its arguments; the list on the left has all that you may call.',
  '203': 'More than one function fits. State more arguments, or cast them.',
  '205': 'Check the name; the list on the left has all relations that you may read.',
  '300': 'Whoever runs the server has to state the option jwt-secret before it can check tokens.',
};

const BY_SQLSTATE: Readonly<Record<string, string>> = {
  '22P02': 'A value does not fit the type of its column. Correct it.',
  '22007': 'A date or time is not written as PostgreSQL reads it: 2026-03-01, 09:30.',
  '42703': 'There is no such column. The builder lists those there are.',
  '42883': 'This operator does not fit the type of the column. Choose another one, or cast the column.',
  '57014': 'It took longer than allowed. Ask for fewer rows, filter by a column with an index, or look at the plan.',
  '25006': 'GET only reads. Call a function that changes data by the form instead.',
};

const BY_STATUS: Readonly<Record<number, string>> = {
  404: 'Check the name; the list on the left has all that you may read.',
  406: 'The server cannot give this answer in the form that was asked for. Try another view.',
  413: 'The answer or the request is larger than the server allows. Ask for fewer rows.',
  414: 'The request is longer than the server allows. Ask for less in one request.',
  416: 'There are fewer rows than that. Go back to the first page.',
  429: 'The server has too much to do. Run the request again in a moment.',
  503: 'The server or its database cannot answer now. Run the request again in a moment.',
  504: 'It took longer than allowed. Ask for fewer rows, filter by a column with an index, or look at the plan.',
};

export function adviseOn(error: ServerError, status: number): string | undefined {
  const code = error.code ?? '';
  const own = /^[A-Z]{3,}(?<number>\d{3})$/u.exec(code)?.groups?.['number'];
  return (own === undefined ? BY_SQLSTATE[code] : BY_SERVER_CODE[own]) ?? BY_STATUS[status];
}

// Values of `as.owner`: from JavaScript to parameters, and from results to what the API's JSON would contain.
import type { ParameterValue } from '../../../src/contract/transaction.ts';
import { renderArrayLiteral } from '../../../src/sql/text/array-literal.ts';

/** Arrays of texts, numbers and booleans become arrays of PostgreSQL, other arrays and objects become JSON. */
export function encodeValue(value: unknown): ParameterValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (Array.isArray(value) && value.every(isPlain)) return renderArrayLiteral(value.map(String));
  return isPlain(value) ? String(value) : JSON.stringify(value);
}

function isPlain(value: unknown): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/** https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const BOOLEAN = 16;
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 26, 700, 701, 1700]);
const DOCUMENTS: ReadonlySet<number> = new Set([114, 3802]);

/** "char", name, text, unknown, bpchar, varchar, uuid: their JSON is their text. */
const TEXTS: ReadonlySet<number> = new Set([18, 19, 25, 705, 1042, 1043, 2950]);

/** Whether `decodeValue` knows the JSON of a type. PostgreSQL knows that of the others. */
export function isDecodable(typeOid: number): boolean {
  return typeOid === BOOLEAN || TEXTS.has(typeOid) || NUMBERS.has(typeOid) || DOCUMENTS.has(typeOid);
}

/** Other types keep PostgreSQL's text. */
export function decodeValue(text: string | null, typeOid: number): unknown {
  if (text === null) return null;
  if (typeOid === BOOLEAN) return text === 't';
  if (DOCUMENTS.has(typeOid)) return JSON.parse(text);
  const number = NUMBERS.has(typeOid) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : text;
}

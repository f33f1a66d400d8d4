// PostgreSQL's built-in types, by `format_type` name. Descriptions of an API derive what they say about a type from this
// table.
import type { TypeCategory } from './schema-document.ts';

export interface BuiltInType {
  readonly category: TypeCategory;
  /** The JSON that `row_to_json` makes of a value. */
  readonly json: 'integer' | 'number' | 'boolean' | 'string' | 'any';
  /** From OpenAPI's list of formats, or else the name of the type; undefined if every text is valid. */
  readonly format?: string;
}

/** Their JSON is a string, and their format has the name of the type. */
const TEXTUAL: readonly (readonly [TypeCategory, names: string])[] = [
  ['number', 'money,oid'],
  ['text', '"char",name,xml'],
  ['date', 'date'],
  ['time', 'time with time zone'],
  ['interval', 'interval'],
  ['uuid', 'uuid'],
  ['range', 'int4range,int8range,numrange,daterange,tsrange,tstzrange'],
  ['range', 'int4multirange,int8multirange,nummultirange,datemultirange,tsmultirange,tstzmultirange'],
  ['binary', 'bytea'],
  ['fullText', 'tsvector,tsquery'],
  ['other', 'bit,bit varying,inet,cidr,macaddr,macaddr8,jsonpath,pg_lsn,regclass'],
  ['other', 'point,line,lseg,box,path,polygon,circle'],
];

export const BUILT_IN_TYPES: ReadonlyMap<string, BuiltInType> = new Map<string, BuiltInType>([
  ['smallint', { category: 'number', json: 'integer', format: 'int32' }],
  ['integer', { category: 'number', json: 'integer', format: 'int32' }],
  ['bigint', { category: 'number', json: 'integer', format: 'int64' }],
  ['numeric', { category: 'number', json: 'number', format: 'decimal' }],
  ['real', { category: 'number', json: 'number', format: 'float' }],
  ['double precision', { category: 'number', json: 'number', format: 'double' }],
  ['boolean', { category: 'boolean', json: 'boolean' }],
  ['json', { category: 'json', json: 'any' }],
  ['jsonb', { category: 'json', json: 'any' }],
  ['text', { category: 'text', json: 'string' }],
  ['character varying', { category: 'text', json: 'string' }],
  ['character', { category: 'text', json: 'string' }],
  ['timestamp with time zone', { category: 'timestamp', json: 'string', format: 'date-time' }],
  ['timestamp without time zone', { category: 'timestamp', json: 'string', format: 'date-time-local' }],
  ['time without time zone', { category: 'time', json: 'string', format: 'time-local' }],
  ...TEXTUAL.flatMap(([category, names]) =>
    names.split(',').map((name): [string, BuiltInType] => [name, { category, json: 'string', format: name }]),
  ),
]);

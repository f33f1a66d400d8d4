// The parameters that many operations share, by their keys in the components.
import type { JsonSchema } from './types.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly description?: string | undefined;
  readonly required?: true | undefined;
  readonly schema: JsonSchema;
}

const RETURN = ['return=minimal', 'return=headers-only', 'return=representation'];
const COUNT = ['count=exact', 'count=planned', 'count=estimated'];
const HANDLING = ['handling=lenient', 'handling=strict'];
const TIMEZONE = 'timezone=Europe/Paris';
const MAX_AFFECTED = 'max-affected=1';

export type SharedParameter =
  | 'select'
  | 'columns'
  | 'on_conflict'
  | 'order'
  | 'limit'
  | 'offset'
  | 'and'
  | 'or'
  | 'range'
  | 'preferRead'
  | 'preferInsert'
  | 'preferUpdate'
  | 'preferDelete'
  | 'preferPut'
  | 'preferCall';

export const SHARED_PARAMETERS: Readonly<Record<SharedParameter, Parameter>> = {
  select: query('select', 'Columns and embedded resources to return, `*` for all columns: `id,name,others(*)`'),
  columns: query('columns', 'Keys of the body to use, separated by commas; the others are ignored'),
  on_conflict: query(
    'on_conflict',
    'Columns of the unique constraint by which existing rows are found, for `resolution`',
  ),
  order: query('order', 'Columns to sort by, separated by commas: `built.desc.nullslast,id`'),
  limit: count('limit', 'Most rows to return'),
  offset: count('offset', 'Rows to skip'),
  and: query('and', 'Conditions that must all hold: `(id.gt.1,id.lt.9)`'),
  or: query('or', 'Conditions of which one must hold: `(id.eq.1,id.eq.9)`'),
  range: {
    name: 'Range',
    in: 'header',
    description: 'First and last row to return, counted from 0: `0-24`',
    schema: { type: 'string', pattern: String.raw`^\d+-\d*$` },
  },
  preferRead: prefer(...COUNT, ...HANDLING, TIMEZONE),
  preferInsert: prefer(
    ...RETURN,
    'resolution=merge-duplicates',
    'resolution=ignore-duplicates',
    'missing=default',
    ...COUNT,
    ...HANDLING,
    TIMEZONE,
  ),
  preferUpdate: prefer(...RETURN, 'missing=default', ...COUNT, ...HANDLING, TIMEZONE, MAX_AFFECTED),
  preferDelete: prefer(...RETURN, ...COUNT, ...HANDLING, TIMEZONE, MAX_AFFECTED),
  preferPut: prefer(...RETURN, ...HANDLING, TIMEZONE),
  preferCall: prefer(...COUNT, ...HANDLING, TIMEZONE, MAX_AFFECTED),
};

/** The header by which a request says which of several schemas it means. */
export function profileParameter(name: 'Accept-Profile' | 'Content-Profile', schema: string): Parameter {
  return { name, in: 'header', description: 'The schema this document describes', schema: { enum: [schema] } };
}

function query(name: string, description: string): Parameter {
  return { name, in: 'query', description, schema: { type: 'string' } };
}

function count(name: string, description: string): Parameter {
  return { name, in: 'query', description, schema: { type: 'integer', minimum: 0 } };
}

/** One text, though it is a list: many client generators cannot send a header of several values. */
function prefer(...values: readonly string[]): Parameter {
  const list = values.map((value) => `\`${value}\``).join(', ');
  return {
    name: 'Prefer',
    in: 'header',
    description: `Preferences, separated by commas, out of ${list}`,
    schema: { type: 'string' },
  };
}

// The parameters that many operations share, by their component keys.
import { describeItems, type PreferenceSettings, type PreferenceUse } from '../../request/preferences.ts';
import type { JsonSchema } from './types.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly description?: string | undefined;
  readonly required?: true | undefined;
  readonly schema: JsonSchema;
}

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
  | PreferParameter;

type PreferParameter = 'preferRead' | 'preferInsert' | 'preferUpdate' | 'preferDelete' | 'preferPut' | 'preferCall';

const FIXED: Readonly<Record<Exclude<SharedParameter, PreferParameter>, Parameter>> = {
  select: query('select', 'Columns and embedded resources to return, `*` for all columns: `id,name,others(*)`'),
  columns: query('columns', 'Keys of the body to use, separated by commas; other keys are ignored'),
  on_conflict: query('on_conflict', 'Columns of the unique constraint that identifies existing rows, for `resolution`'),
  order: query('order', 'Columns to sort by, separated by commas: `built.desc.nullslast,id`'),
  limit: count('limit', 'Maximum number of rows to return'),
  offset: count('offset', 'Number of rows to skip'),
  and: query('and', 'Conditions that must all be true: `(id.gt.1,id.lt.9)`'),
  or: query('or', 'Conditions of which at least one must be true: `(id.eq.1,id.eq.9)`'),
  range: {
    name: 'Range',
    in: 'header',
    description: 'First and last row to return, counted from 0: `0-24`',
    schema: { type: 'string', pattern: String.raw`^\d+-\d*$` },
  },
};

/** Of the extension `bulk`. */
export const MATCH_PARAMETER: Parameter = query(
  'match',
  'Columns by which each object of the body finds the rows to change: `id`',
);

/** Of the extension `upsert`. */
export const MERGE_PARAMETER: Parameter = query(
  'merge',
  'Columns to change in existing rows, with `Prefer: resolution=merge-duplicates`: `price,stock`',
);

/** Of the extension `etag`, on writes of one row by its primary key. */
export const IF_MATCH_PARAMETER: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'Writes the row of this primary key only if it still has one of these entity tags, or `*`: only if it exists',
  schema: { type: 'string' },
};

export const IF_NONE_MATCH_PARAMETER: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: '`*`: inserts the row only if none has this primary key',
  schema: { enum: ['*'] },
};

const PREFER_USES: Readonly<Record<PreferParameter, PreferenceUse>> = {
  preferRead: 'read',
  preferInsert: 'insert',
  preferUpdate: 'update',
  preferDelete: 'delete',
  preferPut: 'put',
  preferCall: 'call',
};

export function listSharedParameters(settings: PreferenceSettings): readonly (readonly [string, Parameter])[] {
  const prefers = Object.entries(PREFER_USES).map(([key, use]) => [key, prefer(describeItems(use, settings))] as const);
  return [...Object.entries(FIXED), ...prefers];
}

/** The header that selects the schema, if there are several. */
export function profileParameter(name: 'Accept-Profile' | 'Content-Profile', schema: string): Parameter {
  return { name, in: 'header', description: 'The schema this document describes', schema: { enum: [schema] } };
}

function query(name: string, description: string): Parameter {
  return { name, in: 'query', description, schema: { type: 'string' } };
}

function count(name: string, description: string): Parameter {
  return { name, in: 'query', description, schema: { type: 'integer', minimum: 0 } };
}

/** Described as one string, because many client generators cannot send a header with several values. */
function prefer(items: readonly string[]): Parameter {
  const list = items.map((item) => `\`${item}\``).join(', ');
  return {
    name: 'Prefer',
    in: 'header',
    description: `Preferences, separated by commas. Supported: ${list}`,
    schema: { type: 'string' },
  };
}

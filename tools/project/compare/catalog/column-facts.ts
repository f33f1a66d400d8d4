// Facts of the columns of tables and views, and of the attributes of composite types. The order of columns is no fact:
// PostgreSQL cannot change it in place.
import { type FactQuery, plainOptionsOf } from './fact-query.ts';

const STORAGE = (code: string): string =>
  `case ${code} when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end`;

const STORED = `relkind in ('r', 'p', 'm', 'f')`;
/** Supported versions print expressions alike, so that even those of different versions are compared. */
const DEFAULTS = 'columns join pg_attrdef on adrelid = attrelid and adnum = attnum';

export const COLUMN_FACTS: readonly FactQuery[] = [
  {
    name: `concat_ws(' ', kind, path)`,
    value: `concat_ws(' ', format_type(atttypid, atttypmod),
      case when attcollation <> typcollation then 'collate ' || attcollation::regcollation end, nullif(attgenerated, ''))`,
    from: 'columns join pg_type on pg_type.oid = atttypid',
  },
  {
    name: `concat('NOT NULL of column ', path)`,
    value: 'nullif(attnotnull, false)',
    from: `columns where relkind in ('r', 'p', 'f')`,
  },
  {
    name: `concat('default of column ', path)`,
    value: 'pg_get_expr(adbin, adrelid)',
    from: `${DEFAULTS} where attgenerated = ''`,
    set: [`concat(change, 'set default ', pg_get_expr(adbin, adrelid))`],
    reset: [`concat(change, 'drop default')`],
  },
  {
    name: `concat('expression of column ', path)`,
    value: 'pg_get_expr(adbin, adrelid)',
    from: `${DEFAULTS} where attgenerated <> ''`,
  },
  {
    name: `concat('identity of column ', path)`,
    value: `concat_ws(' ', attidentity, seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle)`,
    from: `columns left join (pg_depend join pg_sequence on seqrelid = objid)
      on classid = 'pg_class'::regclass and refclassid = 'pg_class'::regclass and refobjid = attrelid
      and refobjsubid = attnum and deptype = 'i' where attidentity <> ''`,
  },
  {
    name: `concat('storage of column ', path)`,
    value: STORAGE('attstorage'),
    from: `columns join pg_type on pg_type.oid = atttypid where ${STORED} and attstorage <> typstorage`,
    set: [`concat(change, 'set storage ', ${STORAGE('attstorage')})`],
    reset: [`concat(change, 'set storage ', ${STORAGE('typstorage')})`],
  },
  {
    name: `concat('compression of column ', path)`,
    value: `case attcompression when 'l' then 'lz4' else 'pglz' end`,
    from: `columns where ${STORED} and attcompression <> ''`,
    set: [`concat(change, 'set compression ', case attcompression when 'l' then 'lz4' else 'pglz' end)`],
    reset: [`concat(change, 'set compression default')`],
  },
  {
    name: `concat('statistics of column ', path)`,
    value: 'attstattarget',
    from: `columns where ${STORED} and attstattarget >= 0`,
    set: [`concat(change, 'set statistics ', attstattarget)`],
    reset: [`concat(change, 'set statistics -1')`],
  },
  {
    name: `format('option %s of %s', split_part(option, '=', 1), concat_ws(' ', kind, path))`,
    value: `split_part(option, '=', 2)`,
    // Some servers keep numbers of their own beside those that a statement sets.
    from: `columns cross join unnest(attoptions) as option
      where ${STORED} and split_part(option, '=', 1) in ('n_distinct', 'n_distinct_inherited')`,
    set: [`concat(change, format('set (%s)', option))`],
    reset: [`concat(change, format('reset (%s)', split_part(option, '=', 1)))`],
  },
  {
    name: `concat('options of foreign column ', path)`,
    value: plainOptionsOf('attfdwoptions'),
    from: 'columns where attfdwoptions is not null',
  },
];

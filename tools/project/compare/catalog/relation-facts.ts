// Facts of tables, views, sequences, foreign tables and indexes.
import { type FactQuery, isOwn, plainOptionsOf } from './fact-query.ts';

const optionsOf = (options: string): string =>
  `(select string_agg(option, ', ' order by option) from unnest(${options}) as option)`;

/** Partitions have constraints of their parents. */
const CONSTRAINTS = `relations join pg_constraint on conrelid = relations.oid
  where contype in ('c', 'f', 'p', 'u', 'x') and conparentid = 0`;

export const RELATION_FACTS: readonly FactQuery[] = [
  {
    name: `concat_ws(' ', kind, path)`,
    value: `concat_ws(' ', nullif(relpersistence, 'p'),
      (select amname from pg_am where pg_am.oid = relam and amname <> 'heap'),
      (select 'in ' || spcname from pg_tablespace where pg_tablespace.oid = reltablespace),
      case when reloftype <> 0 then 'of ' || reloftype::regtype end)`,
    from: `relations where relkind not in ('c', 'S')`,
  },
  {
    name: `concat('row-level security of table ', path)`,
    value: `case when relrowsecurity or relforcerowsecurity then concat_ws(' ', relrowsecurity, relforcerowsecurity) end`,
    from: 'relations',
  },
  {
    name: `concat('replica identity of table ', path)`,
    value: `case relreplident when 'd' then null when 'i' then (select concat('index ', indexrelid::regclass) from pg_index
      where indrelid = relations.oid and indisreplident) else relreplident::text end`,
    from: `relations where relkind in ('r', 'p', 'm')`,
  },
  { name: `concat_ws(' ', 'options of', kind, path)`, value: optionsOf('reloptions'), from: 'relations' },
  {
    name: `concat('options of the TOAST table of ', relations.path)`,
    value: optionsOf('toast.reloptions'),
    from: 'relations join pg_class as toast on toast.oid = relations.reltoastrelid',
    set: [
      `format('alter table %s set (%s)', relations.path,
      (select string_agg('toast.' || option, ', ') from unnest(toast.reloptions) as option))`,
    ],
    reset: [
      `format('alter table %s reset (%s)', relations.path,
      (select string_agg('toast.' || split_part(option, '=', 1), ', ') from unnest(toast.reloptions) as option))`,
    ],
  },
  {
    name: `concat('definition of ', kind, ' ', path)`,
    value: 'pg_get_viewdef(oid)',
    from: `relations where relkind in ('v', 'm')`,
    isPrinted: true,
  },
  {
    name: `concat('partition key of table ', path)`,
    value: 'pg_get_partkeydef(oid)',
    from: `relations where relkind = 'p'`,
    isPrinted: true,
  },
  {
    name: `concat('bound of partition ', path)`,
    value: 'pg_get_expr(relpartbound, oid)',
    from: 'relations where relispartition',
    isPrinted: true,
  },
  {
    name: `concat('parents of table ', path)`,
    value: `(select string_agg(inhparent::regclass::text, ', ' order by inhseqno) from pg_inherits where inhrelid = relations.oid)`,
    from: `relations where relkind in ('r', 'p', 'f')`,
  },
  {
    name: `concat('server of foreign table ', path)`,
    value: `concat_ws(' ', srvname, ${plainOptionsOf('ftoptions')})`,
    from: 'relations join pg_foreign_table on ftrelid = relations.oid join pg_foreign_server on pg_foreign_server.oid = ftserver',
  },
  {
    name: `concat('sequence ', path)`,
    value: `concat_ws(' ', nullif(relpersistence, 'p'), seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle,
      (select 'owned by ' || columns.path from pg_depend join columns on columns.attrelid = refobjid and attnum = refobjsubid
        where classid = 'pg_class'::regclass and objid = seqrelid and refclassid = 'pg_class'::regclass and deptype = 'a'))`,
    from: `relations join pg_sequence on seqrelid = relations.oid where not exists (select from pg_depend
      where classid = 'pg_class'::regclass and objid = seqrelid and deptype = 'i')`,
  },
  {
    name: `concat('index ', own.path)`,
    value: `concat_ws(' ', indrelid::regclass, amname, indisunique, indisprimary, indisexclusion, indimmediate, indnkeyatts,
      case when not indisvalid and own.relkind = 'i' then 'invalid' end, nullif(to_jsonb(pg_index) ->> 'indnullsnotdistinct', 'false'),
      ${optionsOf('own.reloptions')}, (select 'in ' || spcname from pg_tablespace where pg_tablespace.oid = own.reltablespace))`,
    from: 'own join pg_index on indexrelid = own.oid join pg_am on pg_am.oid = own.relam where not own.relispartition',
  },
  {
    name: `concat('definition of index ', own.path)`,
    value: 'pg_get_indexdef(indexrelid)',
    from: 'own join pg_index on indexrelid = own.oid where not own.relispartition',
    isPrinted: true,
  },
  {
    name: `format('statistics of column %s of index %s', attnum, own.path)`,
    value: 'nullif(attstattarget, -1)',
    from: `own join pg_attribute on attrelid = own.oid where relkind in ('i', 'I') and not relispartition`,
    set: [`format('alter index %s alter column %s set statistics %s', own.path, attnum, attstattarget)`],
    reset: [`format('alter index %s alter column %s set statistics -1', own.path, attnum)`],
  },
  {
    name: `format('clustering of table %s', relations.path)`,
    value: 'its.relname',
    from: 'relations join pg_index on indrelid = relations.oid join pg_class as its on its.oid = indexrelid where indisclustered',
    set: [`format('alter table %s cluster on %I', relations.path, its.relname)`],
    reset: [`format('alter table %s set without cluster', relations.path)`],
  },
  {
    name: `format('constraint %I on table %s', conname, path)`,
    value: `concat_ws(' ', contype, convalidated, condeferrable, condeferred, connoinherit, nullif(confrelid, 0)::regclass,
      confupdtype, confdeltype, confmatchtype, case when to_jsonb(pg_constraint) ->> 'conenforced' = 'false' then 'not enforced' end)`,
    from: CONSTRAINTS,
  },
  {
    name: `format('definition of constraint %I on table %s', conname, path)`,
    value: 'pg_get_constraintdef(pg_constraint.oid)',
    from: CONSTRAINTS,
    isPrinted: true,
  },
  {
    name: `format('extended statistics %I.%I', nspname, stxname)`,
    value: 'pg_get_statisticsobjdef(pg_statistic_ext.oid)',
    from: `pg_statistic_ext join spaces on spaces.oid = stxnamespace where ${isOwn('pg_statistic_ext', 'pg_statistic_ext.oid')}`,
    isPrinted: true,
    isObject: true,
    set: ['pg_get_statisticsobjdef(pg_statistic_ext.oid)'],
    reset: [`format('drop statistics if exists %I.%I', nspname, stxname)`],
  },
  {
    name: `format('target of extended statistics %I.%I', nspname, stxname)`,
    value: 'nullif(stxstattarget, -1)',
    from: 'pg_statistic_ext join spaces on spaces.oid = stxnamespace',
    set: [`format('alter statistics %I.%I set statistics %s', nspname, stxname, stxstattarget)`],
    reset: [`format('alter statistics if exists %I.%I set statistics -1', nspname, stxname)`],
  },
];

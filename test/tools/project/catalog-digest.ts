// Describes what a database contains, without the library that plans the changes of `rowhouse dev DIR`: the server itself
// renders the definitions. Two databases with equal descriptions behave alike, apart from the order of columns.
import type { ClientBase } from 'pg';

/** Objects that belong to neither PostgreSQL nor an extension nor Rowhouse. Expects a name for the row's oid and class. */
const isOwn = (catalog: string, oid: string): string =>
  `${oid} >= 16384 and not exists (select from pg_depend as extension where extension.classid = '${catalog}'::regclass
    and extension.objid = ${oid} and extension.deptype = 'e')`;

const inUserSchema = (namespace: string): string =>
  `${namespace} in (select oid from pg_namespace where nspname !~ '^pg_' and nspname not in ('information_schema', 'rowhouse'))`;

const nameOf = (catalog: string, oid: string, sub = '0'): string =>
  `(pg_identify_object('${catalog}'::regclass, ${oid}, ${sub})).identity`;

const privileges = (acl: string, kind: string, owner: string): string =>
  `(select string_agg(concat_ws(' ', coalesce(grantee.rolname, 'public'), privilege_type, is_grantable::text), ', '
      order by coalesce(grantee.rolname, 'public'), privilege_type, is_grantable)
    from aclexplode(coalesce(${acl}, acldefault('${kind}', ${owner}))) left join pg_roles as grantee on grantee.oid = grantee)`;

/** Each returns a kind, a name and what there is to say about the object. */
const QUERIES: readonly string[] = [
  `select 'schema', nspname, concat_ws(' | ', nspowner::regrole, ${privileges('nspacl', 'n', 'nspowner')}) from pg_namespace
   where ${inUserSchema('oid')}`,
  `select 'relation', oid::regclass::text, concat_ws(' | ', relkind, relpersistence, relowner::regrole, relrowsecurity,
     relforcerowsecurity, relreplident, (select string_agg(option, ', ' order by option) from unnest(reloptions) as option),
     pg_get_expr(relpartbound, oid), pg_get_partkeydef(oid), reloftype::regtype,
     (select string_agg(inhparent::regclass::text, ', ' order by inhseqno) from pg_inherits where inhrelid = oid and relkind <> 'i'),
     case when relkind in ('v', 'm') then pg_get_viewdef(oid) end,
     case when relkind in ('i', 'I') then pg_get_indexdef(oid) end,
     case when relkind = 'S' then ${privileges('relacl', 's', 'relowner')}
       when relkind not in ('i', 'I', 'c') then ${privileges('relacl', 'r', 'relowner')} end)
   from pg_class where ${inUserSchema('relnamespace')} and relkind <> 't' and ${isOwn('pg_class', 'oid')}`,
  `select 'column', attrelid::regclass || '.' || attname, concat_ws(' | ', format_type(atttypid, atttypmod), attnotnull,
     attidentity, attgenerated, attstorage, attcompression, attcollation::regcollation, nullif(attstattarget, -1), (select string_agg(option, ', ' order by option) from unnest(attoptions) as option where option !~ '^pg_'),
     pg_get_expr(adbin, adrelid),
     case when attacl is not null then ${privileges('attacl', 'c', 'relowner')} end)
   from pg_attribute join pg_class on pg_class.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
   where attnum > 0 and not attisdropped and relkind in ('r', 'p', 'v', 'm', 'c', 'f') and ${inUserSchema('relnamespace')}`,
  `select 'sequence', seqrelid::regclass::text, concat_ws(' | ', seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin,
     seqcache, seqcycle, (select ${nameOf('pg_class', 'refobjid', 'refobjsubid')} from pg_depend where classid = 'pg_class'::regclass
       and objid = seqrelid and deptype in ('a', 'i') and refclassid = 'pg_class'::regclass))
   from pg_sequence`,
  `select 'constraint', ${nameOf('pg_constraint', 'oid')}, concat_ws(' | ', pg_get_constraintdef(oid), convalidated,
     condeferrable, condeferred, connoinherit) from pg_constraint where ${inUserSchema('connamespace')} and contype <> 'n'`,
  `select 'index', indexrelid::regclass::text, concat_ws(' | ', indisprimary, indisunique, indisvalid, indisclustered,
     indisreplident) from pg_index join pg_class on pg_class.oid = indexrelid where ${inUserSchema('relnamespace')}`,
  `select 'function', oid::regprocedure::text, concat_ws(' | ', prokind, proowner::regrole,
     case when prokind in ('f', 'p') then pg_get_functiondef(oid) else pg_get_function_result(oid) end,
     ${privileges('proacl', 'f', 'proowner')})
   from pg_proc where ${inUserSchema('pronamespace')} and ${isOwn('pg_proc', 'oid')}
     and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'i')`,
  `select 'aggregate', aggfnoid::regprocedure::text, concat_ws(' | ', aggtransfn, aggfinalfn, aggtranstype::regtype, agginitval)
   from pg_aggregate where ${isOwn('pg_proc', 'aggfnoid::oid')}`,
  `select 'trigger', ${nameOf('pg_trigger', 'oid')}, concat_ws(' | ', pg_get_triggerdef(oid), tgenabled)
   from pg_trigger where not tgisinternal`,
  `select 'rule', ${nameOf('pg_rewrite', 'oid')}, concat_ws(' | ', pg_get_ruledef(oid), ev_enabled) from pg_rewrite
   where rulename <> '_RETURN' and ${isOwn('pg_rewrite', 'oid')}`,
  `select 'policy', ${nameOf('pg_policy', 'oid')}, concat_ws(' | ', polcmd, polpermissive,
     (select string_agg(coalesce(rolname, 'public'), ', ' order by rolname) from unnest(polroles) as id left join pg_roles on pg_roles.oid = id),
     pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) from pg_policy`,
  `select 'type', oid::regtype::text, concat_ws(' | ', typtype, typowner::regrole, typnotnull, typdefault,
     case when typtype = 'd' then format_type(typbasetype, typtypmod) end, typcollation::regcollation,
     (select string_agg(enumlabel, ', ' order by enumsortorder) from pg_enum where enumtypid = pg_type.oid),
     (select concat_ws(' ', rngsubtype::regtype, rngsubdiff) from pg_range where rngtypid = pg_type.oid),
     ${privileges('typacl', 'T', 'typowner')})
   from pg_type where ${inUserSchema('typnamespace')} and ${isOwn('pg_type', 'oid')} and typtype in ('d', 'e', 'r', 'c')
     and (typrelid = 0 or (select relkind from pg_class where pg_class.oid = typrelid) = 'c')`,
  `select 'comment', ${nameOf('classoid', 'objoid', 'objsubid').replace("'classoid'::regclass", 'classoid')}, description
   from pg_description where objoid >= 16384
     and not exists (select from pg_depend where classid = classoid and objid = objoid and deptype = 'e')`,
  `select 'publication', pubname, concat_ws(' | ', pubowner::regrole, puballtables, pubinsert, pubupdate, pubdelete, pubtruncate,
     pubviaroot, (select string_agg(concat_ws(' ', prrelid::regclass, (select string_agg(attname, ',' order by attname) from pg_attribute where attrelid = prrelid and attnum = any(prattrs)), pg_get_expr(prqual, prrelid)), ', ' order by prrelid::regclass::text)
       from pg_publication_rel where prpubid = pg_publication.oid),
     (select string_agg(pnnspid::regnamespace::text, ', ' order by 1) from pg_publication_namespace where pnpubid = pg_publication.oid))
   from pg_publication`,
  `select 'default privileges', concat_ws(' ', defaclrole::regrole, nullif(defaclnamespace, 0)::regnamespace, defaclobjtype),
     (select string_agg(concat_ws(' ', coalesce(rolname, 'public'), privilege_type, is_grantable), ', ' order by rolname, privilege_type)
      from aclexplode(defaclacl) left join pg_roles on pg_roles.oid = grantee)
   from pg_default_acl`,
  `select 'extension', extname, extnamespace::regnamespace::text from pg_extension where extname <> 'plpgsql'`,
  `select 'cast', ${nameOf('pg_cast', 'oid')}, concat_ws(' | ', castfunc::regprocedure, castcontext, castmethod) from pg_cast where ${isOwn('pg_cast', 'oid')}`,
  `select 'text search configuration', oid::regconfig::text, concat_ws(' | ', cfgparser, (select string_agg(concat_ws(' ', maptokentype, mapdict::regdictionary),
     ', ' order by maptokentype, mapseqno) from pg_ts_config_map where mapcfg = pg_ts_config.oid)) from pg_ts_config where ${isOwn('pg_ts_config', 'oid')}`,
  `select 'text search dictionary', oid::regdictionary::text, concat_ws(' | ', dicttemplate, dictinitoption) from pg_ts_dict where ${isOwn('pg_ts_dict', 'oid')}`,
  `select 'statistics', ${nameOf('pg_statistic_ext', 'oid')}, concat_ws(' | ', pg_get_statisticsobjdef(oid), nullif(stxstattarget, -1)) from pg_statistic_ext`,
  `select 'operator', oid::regoperator::text, concat_ws(' | ', oprcode, oprcom::regoperator, oprnegate::regoperator) from pg_operator where ${isOwn('pg_operator', 'oid')}`,
  `select 'operator class', ${nameOf('pg_opclass', 'oid')}, opcintype::regtype::text from pg_opclass where ${isOwn('pg_opclass', 'oid')}`,
  `select 'collation', ${nameOf('pg_collation', 'oid')}, concat_ws(' | ', collprovider, collisdeterministic, collcollate)
   from pg_collation where ${inUserSchema('collnamespace')}`,
];

/** @param client its search path is empty until the end of the transaction, so that all names are qualified */
export async function digestCatalog(client: Pick<ClientBase, 'query'>): Promise<readonly string[]> {
  await client.query(`select set_config('search_path', '', true)`);
  const all = QUERIES.map((query) => `select * from (${query}) as part (kind, name, what)`).join(' union all ');
  const { rows } = await client.query<string[]>({ text: all, rowMode: 'array' });
  return rows.map((row) => row.join(': ')).sort();
}

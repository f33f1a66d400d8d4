// Facts of owners, privileges, comments and labels.
import { LIVE_PUBLICATION } from '../../../../src/extensions/live/publication.ts';
import { type FactQuery, isOwn } from './fact-query.ts';

/** Objects with owners: what they are called, how ALTER and GRANT call them, their privileges, and the kind of those. */
const OWNED = `(
  select concat_ws(' ', kind, path) as object, concat_ws(' ', kind, path) as altered,
    concat_ws(' ', case relkind when 'S' then 'sequence' else 'table' end, path) as target,
    case when relkind = 'c' then null else relacl end as acl, case relkind when 'S' then 's' else 'r' end as code, relowner as owner
  from relations where not (relkind = 'S' and exists (select from pg_depend where classid = 'pg_class'::regclass
    and objid = relations.oid and deptype in ('a', 'i') and refclassid = 'pg_class'::regclass)) and relkind <> 'c'
  union all
  select concat_ws(' ', kind, path), null, concat('sequence ', path), relacl, 's', null
  from relations where relkind = 'S' and exists (select from pg_depend where classid = 'pg_class'::regclass
    and objid = relations.oid and deptype in ('a', 'i') and refclassid = 'pg_class'::regclass)
  union all
  select concat(word, program.oid::regprocedure), concat(word, program.oid::regprocedure),
    concat(case prokind when 'p' then 'procedure ' else 'function ' end, program.oid::regprocedure), proacl, 'f', proowner
  from pg_proc as program join spaces on spaces.oid = pronamespace, lateral
    (select case prokind when 'p' then 'procedure ' when 'a' then 'aggregate ' else 'function ' end) as kind (word)
  where ${isOwn('pg_proc', 'program.oid')}
    and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = program.oid and deptype = 'i')
  union all
  select concat_ws(' ', word, format('%I.%I', nspname, typname)), concat_ws(' ', word, format('%I.%I', nspname, typname)),
    format('type %I.%I', nspname, typname), typacl, 'T', typowner
  from pg_type as type join spaces on spaces.oid = typnamespace, lateral
    (select case typtype when 'd' then 'domain' else 'type' end) as kind (word)
  where ${isOwn('pg_type', 'type.oid')} and (typtype in ('e', 'r', 'b', 'd', 'p') and typelem = 0
    or typtype = 'c' and exists (select from relations where relations.oid = typrelid and relkind = 'c'))
  union all
  select format('schema %I', nspname), format('schema %I', nspname), format('schema %I', nspname), nspacl, 'n', nspowner from spaces
  union all
  select format('language %I', lanname), format('language %I', lanname), format('language %I', lanname), lanacl, 'l', lanowner
  from pg_language where ${isOwn('pg_language', 'pg_language.oid')} or lanacl is not null
  union all
  select format('foreign data wrapper %I', fdwname), format('foreign data wrapper %I', fdwname),
    format('foreign data wrapper %I', fdwname), fdwacl, 'F', fdwowner
  from pg_foreign_data_wrapper where ${isOwn('pg_foreign_data_wrapper', 'pg_foreign_data_wrapper.oid')}
  union all
  select format('server %I', srvname), format('server %I', srvname), format('foreign server %I', srvname), srvacl, 'S', srvowner
  from pg_foreign_server where ${isOwn('pg_foreign_server', 'pg_foreign_server.oid')}
  union all
  select word, word, null, null, null, owner from (
    select format('text search dictionary %I.%I', nspname, dictname), dictowner
    from pg_ts_dict join spaces on spaces.oid = dictnamespace where ${isOwn('pg_ts_dict', 'pg_ts_dict.oid')}
    union all
    select format('text search configuration %I.%I', nspname, cfgname), cfgowner
    from pg_ts_config join spaces on spaces.oid = cfgnamespace where ${isOwn('pg_ts_config', 'pg_ts_config.oid')}
    union all
    select format('statistics %I.%I', nspname, stxname), stxowner
    from pg_statistic_ext join spaces on spaces.oid = stxnamespace where ${isOwn('pg_statistic_ext', 'pg_statistic_ext.oid')}
    union all
    select concat('operator ', pg_operator.oid::regoperator), oprowner
    from pg_operator join spaces on spaces.oid = oprnamespace where ${isOwn('pg_operator', 'pg_operator.oid')} and oprcode <> 0
    union all
    select format('collation %I.%I', nspname, collname), collowner
    from pg_collation join spaces on spaces.oid = collnamespace where ${isOwn('pg_collation', 'pg_collation.oid')}
    union all
    select format('publication %I', pubname), pubowner from pg_publication where pubname <> '${LIVE_PUBLICATION}'
    union all
    select format('event trigger %I', evtname), evtowner
    from pg_event_trigger where evtname not in ('rowhouse_change', 'rowhouse_drop')
      and ${isOwn('pg_event_trigger', 'pg_event_trigger.oid')}
  ) as others (word, owner)
) as owned`;

/** `SELECT, UPDATE*`: a star marks what can be granted on. `$1`: privileges that are left out. */
const listOf = (acl: string): string =>
  `(select case grantee when 0 then 'public' else grantee::regrole::text end as role,
      string_agg(privilege_type || case when is_grantable then '*' else '' end, ', ' order by privilege_type) as list,
      string_agg(privilege_type, ', ' order by privilege_type) filter (where not is_grantable) as plain,
      string_agg(privilege_type, ', ' order by privilege_type) filter (where is_grantable) as grantable
    from (select grantee, privilege_type, bool_or(is_grantable) as is_grantable from aclexplode(${acl})
        where privilege_type <> all ($1::text[]) group by 1, 2) as each group by grantee)`;

/** Statements that leave a role with the privileges of one side, given as its columns. */
const grant = (target: string, side: string, privilege: (list: string) => string): readonly string[] => [
  `'revoke ' || ${privilege(`'all'`)} || ' on ' || ${target} || ' from ' || role`,
  `'GRANT ' || ${privilege(`${side}.plain`)} || ' ON ' || ${target} || ' TO ' || role`,
  `'GRANT ' || ${privilege(`${side}.grantable`)} || ' ON ' || ${target} || ' TO ' || role || ' with grant option'`,
];

const SAME = (list: string): string => list;
/** `SELECT (id), UPDATE (id)` */
const OF_COLUMN = (list: string): string =>
  `(select string_agg(concat(each, format(' (%I)', attname)), ', ') from unnest(string_to_array(${list}, ', ')) as each)`;

const DESCRIBED = `(select description, kind.*,
    case when kind.type like '% column' then 'column' when kind.type = 'table constraint' then 'constraint'
      when kind.type = 'foreign-data wrapper' then 'foreign data wrapper' when kind.type = 'statistics object' then 'statistics'
      else kind.type end as word
  from pg_description, lateral pg_identify_object(classoid, objoid, objsubid) as kind
  where (objoid >= 16384 or classoid = 'pg_namespace'::regclass)
    and not exists (select from members where classid = classoid and objid = objoid)
    and kind.type not in ('extension', 'domain constraint') and kind.identity !~ '(^|[( ])(rowhouse|pg_catalog|information_schema|pg_toast)([.]|$)'
    and kind.identity not in ('rowhouse_change', 'rowhouse_drop', '${LIVE_PUBLICATION}')) as described`;

export const PRIVILEGE_FACTS: readonly FactQuery[] = [
  {
    name: `concat('owner of ', object)`,
    value: 'owner::regrole',
    from: `${OWNED} where owner is not null`,
    set: [`format('alter %s owner to %s', altered, owner::regrole)`],
  },
  {
    name: `format('privileges of %s on %s', role, object)`,
    value: `case when given.list is distinct from usual.list then coalesce(given.list, 'none') end`,
    from: `${OWNED}, (lateral ${listOf('acl')} as given full join lateral ${listOf('acldefault(code::"char", coalesce(owner, (select relowner from relations where concat(\'sequence \', path) = object)))')} as usual using (role))
      where acl is not null`,
    set: grant('target', 'given', SAME),
    reset: grant('target', 'usual', SAME),
  },
  {
    name: `format('privileges of %s on column %s', role, path)`,
    value: 'given.list',
    from: `columns, lateral ${listOf('attacl')} as given where attacl is not null`,
    set: grant(`'table ' || table_path`, 'given', OF_COLUMN),
    reset: [`format('revoke all (%I) on table %s from %s', attname, table_path, role)`],
  },
  {
    name: `concat_ws(' ', 'default privileges of', defaclrole::regrole,
      'in schema ' || (select nspname from spaces where spaces.oid = defaclnamespace), 'on', defaclobjtype, 'for', role)`,
    value: `case when defaclnamespace <> 0 then given.list
      when given.list is distinct from usual.list then coalesce(given.list, 'none') end`,
    from: `pg_default_acl, (lateral ${listOf('defaclacl')} as given
      full join lateral ${listOf(`acldefault(case defaclobjtype when 'S' then 's' else defaclobjtype end::"char", defaclrole)`)} as usual using (role))`,
  },
  {
    name: `concat_ws(' ', 'comment on', word, identity)`,
    value: 'description',
    from: DESCRIBED,
    set: [`format('comment on %s %s is %L', word, identity, description)`],
    reset: [`format('comment on %s %s is null', word, identity)`],
  },
  {
    name: `format('comment on constraint %I on domain %s', conname, contypid::regtype)`,
    value: `obj_description(pg_constraint.oid, 'pg_constraint')`,
    from: `pg_constraint join spaces on spaces.oid = connamespace where contypid <> 0`,
    set: [
      `format('comment on constraint %I on domain %s is %L', conname, contypid::regtype, obj_description(pg_constraint.oid, 'pg_constraint'))`,
    ],
    reset: [`format('comment on constraint %I on domain %s is null', conname, contypid::regtype)`],
  },
  {
    name: `format('security label of %s for %s', (pg_identify_object(classoid, objoid, objsubid)).identity, provider)`,
    value: 'label',
    from: 'pg_seclabel',
  },
];

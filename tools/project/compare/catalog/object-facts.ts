// Facts of schemas and extensions, and of the objects that the library does not follow: text search, casts, operators,
// languages and foreign servers.
import { type FactQuery, isOwn, LEFT_OUT, plainOptionsOf } from './fact-query.ts';

const inSpace = (catalog: string, namespace: string): string =>
  `${catalog} join spaces on spaces.oid = ${namespace} where ${isOwn(catalog, `${catalog}.oid`)}`;

const CONFIG = `format('%I.%I', nspname, cfgname)`;
const DICTIONARY = `format('%I.%I', nspname, dictname)`;
const CAST = `format('cast (%s as %s)', format_type(castsource, null), format_type(casttarget, null))`;
const PARSER = `(select format('%I.%I', parser_space.nspname, prsname) from pg_ts_parser
  join pg_namespace as parser_space on parser_space.oid = prsnamespace where pg_ts_parser.oid = cfgparser)`;
const TEMPLATE = `(select format('%I.%I', template_space.nspname, tmplname) from pg_ts_template
  join pg_namespace as template_space on template_space.oid = tmplnamespace where pg_ts_template.oid = dicttemplate)`;
const operatorName = (oid: string): string =>
  `(select format('operator(%I.%s)', other_space.nspname, other.oprname) from pg_operator as other
    join pg_namespace as other_space on other_space.oid = other.oprnamespace where other.oid = ${oid})`;

export const OBJECT_FACTS: readonly FactQuery[] = [
  { name: `format('schema %I', nspname)`, value: `''`, from: 'spaces' },
  {
    name: `format('extension %I', extname)`,
    value: 'extnamespace::regnamespace',
    from: `pg_extension where extname not in ('plpgsql', ${LEFT_OUT})`,
  },
  {
    name: `concat('text search dictionary ', ${DICTIONARY})`,
    value: TEMPLATE,
    from: inSpace('pg_ts_dict', 'dictnamespace'),
    isObject: true,
    set: [
      `format('create text search dictionary %s (template = %s%s)', ${DICTIONARY}, ${TEMPLATE}, ', ' || nullif(dictinitoption, ''))`,
    ],
    reset: [`format('drop text search dictionary if exists %s', ${DICTIONARY})`],
  },
  {
    name: `format('option %s of text search dictionary %s', option[1], ${DICTIONARY})`,
    value: 'option[2]',
    from: `pg_ts_dict join spaces on spaces.oid = dictnamespace
      cross join regexp_matches(dictinitoption, '("(?:[^"]|"")+"|\\w+) = (E?''(?:[^'']|'''')*'')', 'g') as option
      where ${isOwn('pg_ts_dict', 'pg_ts_dict.oid')}`,
    set: [`format('alter text search dictionary %s (%s = %s)', ${DICTIONARY}, option[1], option[2])`],
    // An option without a value is removed.
    reset: [`format('alter text search dictionary %s (%s)', ${DICTIONARY}, option[1])`],
  },
  {
    name: `concat('text search configuration ', ${CONFIG})`,
    value: PARSER,
    from: inSpace('pg_ts_config', 'cfgnamespace'),
    isObject: true,
    set: [`format('create text search configuration %s (parser = %s)', ${CONFIG}, ${PARSER})`],
    reset: [`format('drop text search configuration if exists %s', ${CONFIG})`],
  },
  {
    name: `format('mapping of %s of text search configuration %s', alias, ${CONFIG})`,
    value: `string_agg(mapdict::regdictionary::text, ', ' order by mapseqno)`,
    from: `pg_ts_config join spaces on spaces.oid = cfgnamespace join pg_ts_config_map on mapcfg = pg_ts_config.oid
      join lateral ts_token_type(cfgparser) on tokid = maptokentype where ${isOwn('pg_ts_config', 'pg_ts_config.oid')}
      group by alias, nspname, cfgname`,
    isObject: true,
    set: [
      `format('alter text search configuration %s drop mapping if exists for %I', ${CONFIG}, alias)`,
      `format('alter text search configuration %s add mapping for %I with %s', ${CONFIG}, alias,
        string_agg(mapdict::regdictionary::text, ', ' order by mapseqno))`,
    ],
    reset: [`format('alter text search configuration %s drop mapping if exists for %I', ${CONFIG}, alias)`],
  },
  {
    name: CAST,
    value: `concat_ws(' ', case castmethod when 'f' then 'with function ' || castfunc::regprocedure when 'i' then 'with inout' else 'without function' end,
      case castcontext when 'a' then 'as assignment' when 'i' then 'as implicit' end)`,
    from: `pg_cast where ${isOwn('pg_cast', 'pg_cast.oid')}
      and not exists (select from pg_depend where classid = 'pg_cast'::regclass and objid = pg_cast.oid and deptype = 'i')`,
    isObject: true,
    set: [
      `concat_ws(' ', 'create', ${CAST}, case castmethod when 'f' then 'with function ' || castfunc::regprocedure when 'i' then 'with inout' else 'without function' end,
      case castcontext when 'a' then 'as assignment' when 'i' then 'as implicit' end)`,
    ],
    reset: [`concat('drop ', replace(${CAST}, 'cast (', 'cast if exists ('))`],
  },
  {
    name: `concat('operator ', pg_operator.oid::regoperator)`,
    value: `concat_ws(' ', oprcode, ${operatorName('pg_operator.oprcom')}, ${operatorName('pg_operator.oprnegate')}, nullif(oprrest, 0), nullif(oprjoin, 0), oprcanmerge, oprcanhash)`,
    from: `${inSpace('pg_operator', 'oprnamespace')} and oprcode <> 0`,
    isObject: true,
    set: [
      `format('create operator %I.%s (%s)', nspname, oprname, concat_ws(', ', 'function = ' || oprcode,
      'leftarg = ' || nullif(oprleft, 0)::regtype, 'rightarg = ' || nullif(oprright, 0)::regtype,
      'commutator = ' || ${operatorName('pg_operator.oprcom')}, 'negator = ' || ${operatorName('pg_operator.oprnegate')},
      'restrict = ' || nullif(oprrest, 0), 'join = ' || nullif(oprjoin, 0),
      case when oprcanmerge then 'merges' end, case when oprcanhash then 'hashes' end))`,
    ],
    reset: [`concat('drop operator if exists ', pg_operator.oid::regoperator)`],
  },
  {
    name: `format('operator family %I.%I using %I', nspname, opfname, amname)`,
    value: `concat_ws(' ', (select string_agg(concat_ws(' ', amopopr::regoperator, amopstrategy, amoppurpose, nullif(amopsortfamily, 0)), ', '
        order by amopopr::regoperator::text, amopstrategy) from pg_amop where amopfamily = pg_opfamily.oid),
      (select string_agg(concat_ws(' ', amproc::regprocedure, amprocnum, amproclefttype::regtype), ', '
        order by amproc::regprocedure::text, amprocnum) from pg_amproc where amprocfamily = pg_opfamily.oid))`,
    from: `pg_opfamily join pg_am on pg_am.oid = opfmethod join spaces on spaces.oid = opfnamespace where ${isOwn('pg_opfamily', 'pg_opfamily.oid')}`,
  },
  {
    name: `format('operator class %I.%I using %I', nspname, opcname, amname)`,
    value: `concat_ws(' ', opcintype::regtype, opcdefault, nullif(opckeytype, 0)::regtype)`,
    from: `pg_opclass join pg_am on pg_am.oid = opcmethod join spaces on spaces.oid = opcnamespace where ${isOwn('pg_opclass', 'pg_opclass.oid')}`,
  },
  {
    name: `format('language %I', lanname)`,
    value: `concat_ws(' ', lanpltrusted, lanplcallfoid::regprocedure, laninline::regprocedure, lanvalidator::regprocedure)`,
    from: `pg_language where ${isOwn('pg_language', 'pg_language.oid')}`,
  },
  {
    name: `format('transform for %s language %I', trftype::regtype, lanname)`,
    value: `concat_ws(' ', trffromsql::regprocedure, trftosql::regprocedure)`,
    from: `pg_transform join pg_language on pg_language.oid = trflang where ${isOwn('pg_transform', 'pg_transform.oid')}`,
  },
  {
    name: `format('conversion %I.%I', nspname, conname)`,
    value: `concat_ws(' ', conforencoding, contoencoding, conproc::regproc, condefault)`,
    from: inSpace('pg_conversion', 'connamespace'),
  },
  {
    name: `format('access method %I', amname)`,
    value: `concat_ws(' ', amhandler, amtype)`,
    from: `pg_am where ${isOwn('pg_am', 'pg_am.oid')}`,
  },
  {
    name: `format('text search parser %I.%I', nspname, prsname)`,
    value: `concat_ws(' ', prsstart, prstoken, prsend, prsheadline, prslextype)`,
    from: inSpace('pg_ts_parser', 'prsnamespace'),
  },
  {
    name: `format('text search template %I.%I', nspname, tmplname)`,
    value: `concat_ws(' ', tmplinit, tmpllexize)`,
    from: inSpace('pg_ts_template', 'tmplnamespace'),
  },
  {
    name: `format('foreign data wrapper %I', fdwname)`,
    value: `concat_ws(' ', nullif(fdwhandler, 0)::regproc, nullif(fdwvalidator, 0)::regproc, ${plainOptionsOf('fdwoptions')})`,
    from: `pg_foreign_data_wrapper where ${isOwn('pg_foreign_data_wrapper', 'pg_foreign_data_wrapper.oid')}`,
  },
  {
    name: `format('server %I', srvname)`,
    value: `concat_ws(' ', fdwname, srvtype, srvversion, ${plainOptionsOf('srvoptions')})`,
    from: `pg_foreign_server join pg_foreign_data_wrapper on pg_foreign_data_wrapper.oid = srvfdw
      where ${isOwn('pg_foreign_server', 'pg_foreign_server.oid')}`,
  },
  {
    name: `format('user mapping for %s on server %I', usename, srvname)`,
    value: `''`,
    from: 'pg_user_mappings',
  },
];

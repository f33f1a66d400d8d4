// Objects that are not compared (`project.md` §8): they are named when the files and the database differ in them.
import type { ClientBase } from 'pg';

/** Kind, name, catalog and oid of an object, what else there is to say about it, and where. */
interface Source {
  readonly kind: string;
  readonly catalog: string;
  readonly name: string;
  readonly what: string;
}

const SOURCES: readonly Source[] = [
  {
    kind: 'cast',
    catalog: 'pg_cast',
    name: `concat('(', format_type(castsource, null), ' as ', format_type(casttarget, null), ')')`,
    what: `concat_ws(' ', castfunc::regprocedure, castcontext, castmethod)`,
  },
  {
    kind: 'text search configuration',
    catalog: 'pg_ts_config',
    name: 'oid::regconfig::text',
    what: `concat_ws(' ', cfgparser, (select string_agg(concat_ws(' ', maptokentype, mapseqno, mapdict::regdictionary), ', '
      order by maptokentype, mapseqno) from pg_catalog.pg_ts_config_map where mapcfg = pg_ts_config.oid))`,
  },
  {
    kind: 'text search dictionary',
    catalog: 'pg_ts_dict',
    name: 'oid::regdictionary::text',
    what: `concat_ws(' ', dicttemplate, dictinitoption)`,
  },
  {
    kind: 'extended statistics',
    catalog: 'pg_statistic_ext',
    name: `concat_ws('.', stxnamespace::regnamespace, quote_ident(stxname))`,
    what: 'pg_get_statisticsobjdef(oid)',
  },
  {
    kind: 'operator',
    catalog: 'pg_operator',
    name: 'oid::regoperator::text',
    what: `concat_ws(' ', oprcode, oprcom::regoperator, oprnegate::regoperator, oprrest, oprjoin, oprcanmerge, oprcanhash)`,
  },
  {
    kind: 'operator class',
    catalog: 'pg_opclass',
    name: `concat_ws('.', opcnamespace::regnamespace, quote_ident(opcname))`,
    what: `concat_ws(' ', opcintype::regtype, opcdefault, opckeytype::regtype)`,
  },
  {
    kind: 'language',
    catalog: 'pg_language',
    name: 'quote_ident(lanname)',
    what: `concat_ws(' ', lanpltrusted, lanplcallfoid::regprocedure)`,
  },
  {
    kind: 'transform',
    catalog: 'pg_transform',
    name: `concat('for ', format_type(trftype, null))`,
    what: `concat_ws(' ', trffromsql::regprocedure, trftosql::regprocedure)`,
  },
];

/** Objects with lower numbers belong to PostgreSQL. */
const FIRST_OWN_OID = 16_384;

const QUERY = SOURCES.map(
  ({ kind, catalog, name, what }) => `select '${kind} ' || ${name} as name, ${what}::text as what
from pg_catalog.${catalog} where oid >= ${FIRST_OWN_OID} and not exists (select from pg_catalog.pg_depend
  where classid = 'pg_catalog.${catalog}'::pg_catalog.regclass and objid = ${catalog}.oid and deptype in ('e', 'i'))`,
).join(' union all ');

/** Returns the definitions of the objects by their names, such as `cast (text as api.code)`. */
export async function readUnfollowed(client: Pick<ClientBase, 'query'>): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; what: string }>(QUERY);
  return new Map(rows.map(({ name, what }) => [name, what]));
}

/** Returns the names of the objects that only one side has, or that differ. */
export function compareUnfollowed(
  files: ReadonlyMap<string, string>,
  database: ReadonlyMap<string, string>,
): readonly string[] {
  const names = new Set([...files.keys(), ...database.keys()]);
  return [...names].filter((name) => files.get(name) !== database.get(name)).sort();
}

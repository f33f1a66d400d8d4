// Common table expressions for other statements: the tables on which writes may run user-defined code
// (`docs/decisions/session-state.md`). Code that cannot be proven harmless counts.

/** Built-in functions that are not immutable but change nothing in the session. */
const HARMLESS_FUNCTIONS = [
  'clock_timestamp',
  'current_setting',
  'date',
  'gen_random_uuid',
  'nextval',
  'now',
  'random',
  'statement_timestamp',
  'timestamp',
  'transaction_timestamp',
  'uuidv4',
  'uuidv7',
];

/** Nodes that run nothing except the functions and operators that they name. */
const PLAIN_NODES = [
  'ARRAY',
  'ARRAYCOERCEEXPR',
  'ARRAYEXPR',
  'BOOLEANTEST',
  'BOOLEXPR',
  'CASE',
  'CASEEXPR',
  'CASETESTEXPR',
  'CASEWHEN',
  'COALESCE',
  'COALESCEEXPR',
  'CONST',
  'DISTINCTEXPR',
  'FUNCEXPR',
  'NULLIFEXPR',
  'NULLTEST',
  'OPEXPR',
  'RELABELTYPE',
  'SCALARARRAYOPEXPR',
  'SQLVALUEFUNCTION',
  'VAR',
  'WHEN',
];

/** OIDs of built-in objects are lower: https://www.postgresql.org/docs/current/system-catalog-initial-data.html */
const FIRST_OTHER_OID = 16_384;

/**
 * Matches, in a node tree, any other node, or the five-digit oid of a type, operator or function that may be
 * user-defined.
 */
const SUSPECT = String.raw`\{(?!(?:${PLAIN_NODES.join('|')})\M)|(?:type|typeid|typeId|opno|funcid) \d{5}`;

/**
 * `coded (relation)`: tables on which any write may run such code, through triggers, rules, inheriting tables,
 * defaults, generated columns, check and exclusion constraints, indexes, or the operators of foreign keys. `cascading
 * (relation)`: tables whose updates and deletes change other tables.
 */
export const WRITE_CODE_CTE: string = `
  harmless (oid) as materialized (
    select oid from pg_proc
    where oid < ${FIRST_OTHER_OID} and pronamespace = 'pg_catalog'::regnamespace
      and (provolatile = 'i' or proname in (${HARMLESS_FUNCTIONS.map((name) => `'${name}'`).join(', ')}))
  ),
  expressions (relation, tree) as materialized (
    select adrelid, adbin::text from pg_attrdef where not starts_with(adbin::text, '{CONST ')
    union all
    select conrelid, conbin::text from pg_constraint where contype = 'c' and conrelid <> 0
    union all
    select indrelid, concat(indexprs::text, indpred::text)
    from pg_index
    where indexprs is not null or indpred is not null
  ),
  coding (tree) as materialized (
    select tree
    from (select distinct tree from expressions) distinct_ones
    where tree ~ '${SUSPECT}' or exists (
      select from regexp_matches(tree, 'funcid ([1-9]\\d*)', 'g') called (ids)
      where called.ids[1]::oid not in (select oid from harmless)
    )
  ),
  coded (relation) as materialized (
    select relation from expressions where tree in (select tree from coding)
    union
    select tgrelid from pg_trigger where not tgisinternal
    union
    select ev_class from pg_rewrite
    union
    select inhparent from pg_inherits
    union
    select indrelid from pg_index where ${FIRST_OTHER_OID} <= any (indclass::oid[])
    union
    select conrelid from pg_constraint where conexclop is not null
    union
    select unnest(array[conrelid, confrelid])
    from pg_constraint
    where contype = 'f' and ${FIRST_OTHER_OID} <= any (conpfeqop || conppeqop || conffeqop)
  ),
  cascading (relation) as materialized (
    select confrelid from pg_constraint where contype = 'f' and (confupdtype not in ('a', 'r') or confdeltype not in ('a', 'r'))
  )`;

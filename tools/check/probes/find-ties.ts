// Finds the policies that say whose the rows of an object are, as expressions that can be evaluated for its rows.
import type { ClientBase } from 'pg';

export interface Tie {
  /** Follows `FROM`: the object, named as the table of the policy. */
  readonly from: string;
  /** True for the rows that a reader owns. */
  readonly condition: string;
  /** The columns of the object that it depends on, quoted. */
  readonly columns: readonly string[];
  /** A query of values that a claim may have, as texts. */
  readonly owners: string;
  /** Claims that it may read. */
  readonly claims: readonly ClaimPath[];
}

/** The keys of a claim, outermost first. */
export type ClaimPath = readonly [string, ...string[]];

interface TieRow {
  readonly object: string;
  readonly table: string;
  readonly alias: string;
  readonly qual: string;
  readonly columns: readonly string[];
  /** The columns of the table that the policy reads. */
  readonly read: readonly string[];
  /** Conditions that join the object with the table; null: it has the columns of the table itself. */
  readonly joined: string | null;
  /** Bodies of the functions that the policy calls. */
  readonly bodies: string;
}

/**
 * Permissive policies for reads, of the object or of a table that it reads ($1 is its name), if it has their columns; or of
 * a table that it references.
 */
const TIES_SQL = `
WITH RECURSIVE object AS (
  SELECT class.oid, pg_catalog.format('%I.%I', namespace.nspname, class.relname) AS name
  FROM pg_catalog.pg_class AS class JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
  WHERE pg_catalog.format('%I.%I', namespace.nspname, class.relname) = $1
), reached(oid) AS (
  SELECT oid FROM object
  UNION
  SELECT depend.refobjid
  FROM reached
  JOIN pg_catalog.pg_rewrite AS rewrite ON rewrite.ev_class = reached.oid
  JOIN pg_catalog.pg_depend AS depend
    ON depend.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND depend.objid = rewrite.oid
    AND depend.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND depend.refobjid >= 16384
), guarded AS (
  SELECT reached.oid AS relation, NULL::text AS joined, NULL::text[] AS own FROM reached
  UNION ALL
  SELECT fk.confrelid, pg_catalog.string_agg(pg_catalog.format('%I.%I.%I = %s.%I', namespace.nspname, class.relname,
      theirs.attname, object.name, own.attname), ' AND '), pg_catalog.array_agg(pg_catalog.quote_ident(own.attname))
  FROM object
  JOIN pg_catalog.pg_constraint AS fk ON fk.conrelid = object.oid AND fk.contype = 'f' AND fk.confrelid <> object.oid
  JOIN pg_catalog.pg_class AS class ON class.oid = fk.confrelid
  JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
  CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(fk.conkey), pg_catalog.unnest(fk.confkey)) AS key(own, theirs)
  JOIN pg_catalog.pg_attribute AS own ON own.attrelid = fk.conrelid AND own.attnum = key.own
  JOIN pg_catalog.pg_attribute AS theirs ON theirs.attrelid = fk.confrelid AND theirs.attnum = key.theirs
  GROUP BY fk.oid, fk.confrelid
)
SELECT object.name AS object, pg_catalog.format('%I.%I', namespace.nspname, class.relname) AS table,
  pg_catalog.quote_ident(class.relname) AS alias, pg_catalog.pg_get_expr(policy.polqual, policy.polrelid) AS qual,
  coalesce(guarded.own, used.columns) AS columns, used.columns AS read, guarded.joined, used.bodies
FROM object CROSS JOIN guarded
JOIN pg_catalog.pg_policy AS policy ON policy.polrelid = guarded.relation
JOIN pg_catalog.pg_class AS class ON class.oid = policy.polrelid
JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
CROSS JOIN LATERAL (
  SELECT pg_catalog.array_agg(DISTINCT pg_catalog.quote_ident(attribute.attname))
      FILTER (WHERE attribute.attname IS NOT NULL) AS columns,
    coalesce(pg_catalog.string_agg(DISTINCT proc.prosrc, ' '), '') AS bodies,
    coalesce(pg_catalog.bool_and(shown.attname IS NOT NULL) FILTER (WHERE attribute.attname IS NOT NULL), false) AS is_shown
  FROM pg_catalog.pg_depend AS depend
  LEFT JOIN pg_catalog.pg_attribute AS attribute
    ON depend.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND depend.refobjid = policy.polrelid
    AND attribute.attrelid = depend.refobjid AND attribute.attnum = depend.refobjsubid AND attribute.attnum > 0
  LEFT JOIN pg_catalog.pg_attribute AS shown
    ON shown.attrelid = object.oid AND shown.attname = attribute.attname AND NOT shown.attisdropped
  LEFT JOIN pg_catalog.pg_proc AS proc
    ON depend.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND proc.oid = depend.refobjid AND proc.oid >= 16384
  WHERE depend.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass AND depend.objid = policy.oid
) AS used
WHERE policy.polpermissive AND policy.polcmd IN ('r', '*') AND policy.polqual IS NOT NULL
  AND (guarded.joined IS NOT NULL OR used.is_shown) AND used.columns IS NOT NULL
ORDER BY guarded.joined IS NOT NULL, policy.polname`;

/** @param object `api.orders`, each part quoted if necessary */
export async function findTies(client: Pick<ClientBase, 'query'>, object: string): Promise<readonly Tie[]> {
  const { rows } = await client.query<TieRow>(TIES_SQL, [object]);
  return rows.map(({ object: name, table, alias, qual, columns, read, joined, bodies }) => ({
    owners: read
      .map((column) => `SELECT ${column}::text AS value FROM ${joined === null ? name : table}`)
      .join(' UNION '),
    from: joined === null ? `${name} AS ${alias}` : name,
    condition: joined === null ? qual : `EXISTS (SELECT FROM ${table} WHERE ${joined} AND (${qual}))`,
    columns,
    claims: listClaims(`${qual} ${bodies}`),
  }));
}

const STEP = /->(?<isText>>?)\s*'(?<key>(?:[^']|'')*)'/gu;

/** Returns the paths that an expression reads, and `sub`, which a function may read in another way. */
export function listClaims(expression: string): readonly ClaimPath[] {
  const found = new Map<string, ClaimPath>([['sub', ['sub']]]);
  let outer: readonly string[] = [];
  for (const { groups } of expression.matchAll(STEP)) {
    const path = [...outer, (groups?.['key'] ?? '').replaceAll("''", "'")];
    const [first, ...rest] = path;
    outer = groups?.['isText'] === '' ? path : [];
    if (outer.length === 0 && first !== undefined) found.set(JSON.stringify(path), [first, ...rest]);
  }
  return [...found.values()];
}

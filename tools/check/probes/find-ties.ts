// Finds the policies that say whose the rows of an object are, as expressions that can be evaluated for its rows.
import type { Client } from './statements.ts';
import { appliesTo } from '../../access/policies/catalog-terms.ts';
import { type ClaimPath, listClaimPaths } from '../../access/policies/policy-parts.ts';

export interface Tie {
  /** Follows `FROM`: the object, named as the table of the policy. */
  readonly from: string;
  /** True for the rows that a reader owns. */
  readonly condition: string;
  /** True for the rows that no policy gives to a reader, apart from those that are always true. */
  readonly isForeign: string;
  /** The columns of the object that it depends on, quoted. */
  readonly columns: readonly string[];
  /** A query of values that a claim may have, as texts. */
  readonly owners: string;
  /** Claims that it may read. */
  readonly claims: readonly ClaimPath[];
}

interface TieRow {
  readonly object: string;
  readonly table: string;
  readonly alias: string;
  readonly expression: string;
  /** Expressions of the other policies that permit rows. */
  readonly others: readonly string[];
  readonly columns: readonly string[];
  /** The columns of the table that the policy reads. */
  readonly read: readonly string[];
  /** Conditions that join the object with the table; null: it has the columns of the table itself. */
  readonly joined: string | null;
  /** Bodies of the functions that the policy calls. */
  readonly bodies: string;
}

export type ProbedAction = 'read' | 'insert' | 'update' | 'delete';

/**
 * The commands of the policies that say whose rows are. Who may not read a row should not change it either, but may well
 * hand in a row for somebody else to read.
 */
const COMMANDS: Readonly<Record<ProbedAction, readonly string[]>> = {
  read: ['r', '*'],
  insert: ['a', '*'],
  update: ['r', 'w', '*'],
  delete: ['r', 'd', '*'],
};

/**
 * Permissive policies for the commands of $3, of the object or of a table that it reads ($1 is its name), if it has their
 * columns; or of a table that it references. They apply to the role $2, unless none of that table does.
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
), candidate AS (
  SELECT policy.oid, guarded.relation, guarded.joined, guarded.own, policy.polname,
    CASE WHEN 'a' = ANY ($3::text[]) THEN coalesce(checked.expression, using_.expression)
      ELSE using_.expression END AS expression,
    ${appliesTo('policy', '$2::name')} AS applies,
    used.columns, used.bodies, guarded.joined IS NOT NULL OR used.is_shown AS is_evaluable
  FROM object CROSS JOIN guarded
  JOIN pg_catalog.pg_policy AS policy ON policy.polrelid = guarded.relation
  CROSS JOIN LATERAL pg_catalog.pg_get_expr(policy.polqual, policy.polrelid) AS using_(expression)
  CROSS JOIN LATERAL pg_catalog.pg_get_expr(policy.polwithcheck, policy.polrelid) AS checked(expression)
  CROSS JOIN LATERAL (
    SELECT pg_catalog.array_agg(DISTINCT pg_catalog.quote_ident(attribute.attname))
        FILTER (WHERE attribute.attname IS NOT NULL) AS columns,
      coalesce(pg_catalog.string_agg(DISTINCT proc.prosrc, ' '), '') AS bodies,
      coalesce(pg_catalog.bool_and(shown.attname IS NOT NULL) FILTER (WHERE attribute.attname IS NOT NULL), true) AS is_shown
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
  WHERE policy.polpermissive AND policy.polcmd::text = ANY ($3::text[])
)
SELECT object.name AS object, pg_catalog.format('%I.%I', namespace.nspname, class.relname) AS table,
  pg_catalog.quote_ident(class.relname) AS alias, tie.expression, others.expressions AS others,
  coalesce(tie.own, tie.columns) AS columns, tie.columns AS read, tie.joined, tie.bodies
FROM object CROSS JOIN candidate AS tie
JOIN pg_catalog.pg_class AS class ON class.oid = tie.relation
JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
CROSS JOIN LATERAL (
  SELECT coalesce(pg_catalog.array_agg(other.expression), '{}') AS expressions,
    coalesce(pg_catalog.bool_and(other.is_evaluable), true) AS are_evaluable
  FROM candidate AS other
  WHERE other.relation = tie.relation AND other.joined IS NOT DISTINCT FROM tie.joined AND other.oid <> tie.oid
    AND other.applies AND other.expression <> 'true'
) AS others
WHERE tie.expression IS NOT NULL AND tie.columns IS NOT NULL AND tie.is_evaluable AND others.are_evaluable
  AND (tie.applies OR NOT EXISTS (
    SELECT FROM candidate AS other WHERE other.relation = tie.relation AND other.applies))
ORDER BY tie.joined IS NOT NULL, tie.polname`;

/** @param object `api.orders`, each part quoted if necessary */
export async function findTies(
  client: Client,
  object: string,
  role: string,
  action: ProbedAction,
): Promise<readonly Tie[]> {
  const { rows } = await client.query<TieRow>(TIES_SQL, [object, role, COMMANDS[action]]);
  return rows.map(({ object: name, table, alias, expression, others, columns, read, joined, bodies }) => {
    const permits = (condition: string): string =>
      joined === null ? `(${condition})` : `EXISTS (SELECT FROM ${table} WHERE ${joined} AND (${condition}))`;
    return {
      owners: read
        .map((column) => `SELECT ${column}::text AS value FROM ${joined === null ? name : table}`)
        .join(' UNION '),
      from: joined === null ? `${name} AS ${alias}` : name,
      condition: permits(expression),
      isForeign: [expression, ...others].map((each) => `${permits(each)} IS NOT TRUE`).join(' AND '),
      columns,
      claims: listClaims(`${expression} ${bodies}`),
    };
  });
}

/** Returns the paths that an expression reads, and `sub`, which a function may read in another way. */
export function listClaims(expression: string): readonly ClaimPath[] {
  const found = new Map<string, ClaimPath>([['sub', ['sub']]]);
  for (const path of listClaimPaths(expression)) found.set(JSON.stringify(path), path);
  return [...found.values()];
}

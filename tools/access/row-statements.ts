// The statements that find out why a role sees a row or not. Values of the key are parameters. Policy expressions come
// from the catalog. A policy is stored parsed: its names were resolved when it was created, and only the privileges of
// functions and tables that it uses are checked for the role. So each expression is prepared as the login role, which
// resolves its names, and executed as the role.
import { quoteIdentifier, type QualifiedName } from '../../src/contract/identifiers.ts';
import type { Statement } from '../../src/contract/transaction.ts';

/** Values by column, as text. */
export type RowKey = readonly (readonly [column: string, value: string])[];

/** Returns the row under the key as a literal of its composite type, and a second one if the key is not unique. */
export function renderRowLookup(relation: QualifiedName, key: RowKey): Statement {
  const row = `(${quoteIdentifier(relation.name)}.*)::text`;
  return { text: `SELECT ${row} FROM ${renderFrom(relation, key)} LIMIT 2`, parameters: valuesOf(key) };
}

/** Run it as the role. Returns a row if the role sees the one under the key. */
export function renderVisibility(relation: QualifiedName, key: RowKey): Statement {
  return { text: `SELECT FROM ${renderFrom(relation, key)} LIMIT 1`, parameters: valuesOf(key) };
}

/**
 * Returns the USING expressions of policies by name, with all names qualified. The search path must be empty.
 */
export function renderExpressions(relation: QualifiedName): Statement {
  return {
    text: `SELECT policy.polname, pg_catalog.pg_get_expr(policy.polqual, policy.polrelid)
FROM pg_catalog.pg_policy AS policy
JOIN pg_catalog.pg_class AS class ON class.oid = policy.polrelid
JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
WHERE namespace.nspname = $1 AND class.relname = $2`,
    parameters: [relation.schema, relation.name],
  };
}

/** Setting that contains the row while its policies are evaluated, because EXECUTE takes no parameters of the protocol. */
export const ROW_SETTING = 'rowhouse.access_row';

/**
 * Prepares the evaluation of an expression for the row.
 *
 * @param name a plain identifier
 * @param expression from the catalog; it may refer to the row by the name of the relation
 */
export function renderPreparation(name: string, expression: string, relation: QualifiedName): string {
  const row = `ARRAY[pg_catalog.current_setting('${ROW_SETTING}')]::${renderName(relation)}[]`;
  const rows = `pg_catalog.unnest(${row}) AS ${quoteIdentifier(relation.name)}`;
  return `PREPARE ${name} AS SELECT (${expression})::text FROM ${rows}`;
}

function renderFrom(relation: QualifiedName, key: RowKey): string {
  const conditions = key.map(([column], index) => `${quoteIdentifier(column)} = $${index + 1}`);
  return `${renderName(relation)} AS ${quoteIdentifier(relation.name)} WHERE ${conditions.join(' AND ')}`;
}

function renderName({ schema, name }: QualifiedName): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}

function valuesOf(key: RowKey): readonly string[] {
  return key.map(([, value]) => value);
}

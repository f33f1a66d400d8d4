// Renders the SQL that makes a query a view or a function of the API.
import { spellIdentifier } from '../../../src/contract/identifiers.ts';
import type { ConsoleResult } from '../client/console.ts';

export interface Publication {
  readonly kind: 'view' | 'function';
  readonly schema: string;
  readonly name: string;
  /** SQL as in `CREATE FUNCTION`: `min_age integer, town text`. */
  readonly parameters: string;
  readonly query: string;
  readonly columns: NonNullable<ConsoleResult['columns']>;
  /** Roles that get the privilege. */
  readonly roles: readonly string[];
  /** Roles that would get privileges by ALTER DEFAULT PRIVILEGES. */
  readonly byDefault: readonly string[];
}

export function renderPublication(publication: Publication): string {
  const { kind, schema, name, roles, byDefault } = publication;
  const target = `${spellIdentifier(schema)}.${spellIdentifier(name)}`;
  const create = kind === 'view' ? renderView(target, publication) : renderFunction(target, publication);
  const object = kind === 'view' ? target : `FUNCTION ${target}`;
  const denied = byDefault.filter((role) => !roles.includes(role));
  return [
    ...create,
    ...(denied.length === 0 ? [] : [`REVOKE ALL ON ${object} FROM ${listRoles(denied)};`]),
    ...(roles.length === 0
      ? []
      : [`GRANT ${kind === 'view' ? 'SELECT' : 'EXECUTE'} ON ${object} TO ${listRoles(roles)};`]),
  ].join('\n');
}

function listRoles(roles: readonly string[]): string {
  return roles.map(spellIdentifier).join(', ');
}

/** Removes what ends a statement: it goes inside another one. */
export function trimQuery(text: string): string {
  return text.replace(/[\s;]+$/u, '').trimStart();
}

function renderView(target: string, { query }: Publication): readonly string[] {
  return [`CREATE VIEW ${target} WITH (security_invoker = true) AS`, `${query};`];
}

function renderFunction(target: string, { parameters, query, columns }: Publication): readonly string[] {
  const quote = freeQuote(query);
  return [
    `CREATE FUNCTION ${target}(${parameters.trim()})`,
    `RETURNS TABLE (${columns.map(({ name, type }) => `${spellIdentifier(name)} ${type}`).join(', ')})`,
    'LANGUAGE sql STABLE SECURITY INVOKER',
    `AS ${quote}`,
    query,
    `${quote};`,
    // PostgreSQL lets everyone call a new function.
    `REVOKE ALL ON FUNCTION ${target} FROM PUBLIC;`,
  ];
}

/** Returns a dollar quote that the text does not contain. */
function freeQuote(text: string): string {
  for (let number = 0; ; number += 1) {
    const quote = `$sql${number === 0 ? '' : number}$`;
    if (!text.includes(quote)) return quote;
  }
}

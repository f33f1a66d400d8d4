// A common table expression for other statements: every domain with the type at the end of its chain.

/**
 * `domains (oid, base, is_not_null)`: `base` is the first type below the domain that is not itself a domain;
 * `is_not_null` is true if the domain or any domain below it forbids null.
 */
export const DOMAINS_CTE: string = renderDomainsCte('true');

/** Renders the same for the domains that satisfy a condition on pg_type. */
export function renderDomainsCte(condition: string): string {
  return `
  domain_chain (oid, base, is_not_null) as (
    select oid, typbasetype, typnotnull from pg_type where typtype = 'd' and ${condition}
    union all
    select chain.oid, below.typbasetype, chain.is_not_null or below.typnotnull
    from domain_chain chain
    join pg_type below on below.oid = chain.base
    where below.typtype = 'd'
  ),
  domains (oid, base, is_not_null) as (
    select chain.oid, chain.base, chain.is_not_null
    from domain_chain chain
    join pg_type base on base.oid = chain.base
    where base.typtype <> 'd'
  )`;
}

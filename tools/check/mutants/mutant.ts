// The mutants of a database: each changes one policy, one grant or one `security_invoker` (`project.md` §6 item 4).
import { quoteIdentifier } from '../../../src/contract/identifiers.ts';
import type { Place } from '../lints/finding.ts';
import { splitAtAnd } from '../../access/policies/policy-parts.ts';

export interface Mutant {
  /** `api.orders`, `api.f(integer)`; each part quoted if necessary. */
  readonly object: string;
  /** Of the relation or function, unquoted. */
  readonly schema: string;
  readonly name: string;
  /** The web roles that are concerned. */
  readonly roles: readonly [string, ...string[]];
  readonly place: Place;
  /** What is changed, for a sentence: `the policy own_orders is dropped`. */
  readonly change: string;
  readonly sql: string;
}

export interface Subject {
  readonly object: string;
  readonly schema: string;
  readonly name: string;
  readonly roles: readonly string[];
}

export interface PolicyFacts extends Subject {
  readonly policy: string;
  readonly isPermissive: boolean;
  /** As `pg_get_expr` prints them. */
  readonly using: string | null;
  readonly check: string | null;
}

export interface GrantFacts extends Subject {
  readonly kind: 'TABLE' | 'SEQUENCE' | 'ROUTINE';
  readonly privilege: string;
  /** Quoted; null: the whole relation. */
  readonly columns: readonly string[] | null;
  /** Null: PUBLIC. */
  readonly grantee: string | null;
}

export interface MutantFacts {
  readonly policies: readonly PolicyFacts[];
  readonly grants: readonly GrantFacts[];
  /** With `security_invoker`. */
  readonly views: readonly Subject[];
}

/** Omits what no web role is concerned by. */
export function planMutants({ policies, grants, views }: MutantFacts): readonly Mutant[] {
  return [
    ...policies.flatMap((policy) => complete(policy, changePolicy(policy))),
    ...grants.flatMap((grant) => complete(grant, [revoke(grant)])),
    ...views.flatMap((view) => complete(view, [ignoreInvoker(view)])),
  ];
}

type Change = Pick<Mutant, 'place' | 'change' | 'sql'>;

function complete({ object, schema, name, roles }: Subject, changes: readonly Change[]): readonly Mutant[] {
  const [first, ...others] = roles;
  return first === undefined
    ? []
    : changes.map((change) => ({ object, schema, name, roles: [first, ...others], ...change }));
}

function changePolicy(facts: PolicyFacts): readonly Change[] {
  const { object, policy, isPermissive, using, check } = facts;
  const place = { kind: 'policy', table: object, name: policy } as const;
  const on = `${quoteIdentifier(policy)} ON ${object}`;
  // To drop a restrictive policy makes its only expression true.
  const isDropEnough = !isPermissive && (using === null || check === null);
  const clauses = [
    { clause: 'USING', expression: using },
    { clause: 'WITH CHECK', expression: check },
  ];
  return [
    { place, change: `the policy ${policy} is dropped`, sql: `DROP POLICY ${on}` },
    ...clauses.flatMap(({ clause, expression }) =>
      changeExpression(expression, !isDropEnough).map(({ change, expression: changed }) => ({
        place,
        change: `${clause} of the policy ${policy} ${change}`,
        sql: `ALTER POLICY ${on} ${clause} (${changed})`,
      })),
    ),
  ];
}

interface ChangedExpression {
  readonly change: string;
  readonly expression: string;
}

function changeExpression(expression: string | null, mayBeTrue: boolean): readonly ChangedExpression[] {
  if (expression === null) return [];
  const conjuncts = splitAtAnd(expression);
  return [
    ...(mayBeTrue && expression !== 'true' ? [{ change: 'is true', expression: 'true' }] : []),
    ...(expression === 'false' ? [] : [{ change: 'is negated', expression: `NOT (${expression})` }]),
    ...(conjuncts.length === 1 ? [] : conjuncts.map((_, index) => omitConjunct(conjuncts, index))),
  ];
}

function omitConjunct(conjuncts: readonly string[], index: number): ChangedExpression {
  return { change: `lacks ${conjuncts[index]}`, expression: conjuncts.toSpliced(index, 1).join(' AND ') };
}

function revoke({ object, kind, privilege, columns, grantee }: GrantFacts): Change {
  const right = columns === null ? privilege : `${privilege} (${columns.join(', ')})`;
  const holder = grantee === null ? 'PUBLIC' : quoteIdentifier(grantee);
  return {
    place: { kind: 'grant', object, privilege, role: grantee ?? 'public' },
    change: `${right} on ${object} is revoked from ${grantee ?? 'PUBLIC'}`,
    // The grantee may have passed the privilege on.
    sql: `REVOKE ${right} ON ${kind} ${object} FROM ${holder} CASCADE`,
  };
}

function ignoreInvoker({ object }: Subject): Change {
  return {
    place: { kind: 'object', object },
    change: `security_invoker of ${object} is off`,
    sql: `ALTER VIEW ${object} SET (security_invoker = false)`,
  };
}

// Evaluates policies for rows: whether each is true, and if not, which part of it is not, with the values that it names.
import {
  type AccessPolicy,
  type AccessRelation,
  type AccessRights,
  type AccessRole,
  type FailedPart,
  freedomOf,
  type NamedValue,
  type PolicyCommand,
  type PolicyResult,
} from '../../src/contract/access-document.ts';
import { type QualifiedName, quoteIdentifier } from '../../src/contract/identifiers.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import type { TransactionQuery } from '../../src/postgres/session/query.ts';
import { isJsonObject, parseJsonObject } from '../../src/util/json-object.ts';
import { renderNames } from './named-tables.ts';
import { listTerms, type PolicyReferences, splitConjuncts, type Term } from './policy-parts.ts';
import { attempt, describeReason, type PreparedExpression, RowExpressions, type RowValues } from './row-expressions.ts';

export type Clause = 'using' | 'check';

/** A policy as it is stored. */
export interface StoredPolicy extends PolicyReferences {
  readonly using: string | null;
  readonly check: string | null;
  /** Names of the other tables that it reads. */
  readonly tables: readonly string[];
  /** Tables with policies that its functions name, which run as the role: `members through is_member`. */
  readonly indirect: readonly string[];
}

/** What one policy says of one row. */
export interface RowVerdict {
  readonly result: PolicyResult;
  /** The parts that are not true; empty if the policy is, or cannot be evaluated. */
  readonly parts: readonly FailedPart[];
}

export interface PolicyVerdicts {
  readonly policy: AccessPolicy;
  /** The clause that decides: without WITH CHECK, USING counts for new rows as well. */
  readonly clause: Clause;
  /** Names of the other tables that it reads. */
  readonly tables: readonly string[];
  /** See `StoredPolicy`. */
  readonly indirect: readonly string[];
  /** One for each row. */
  readonly verdicts: readonly RowVerdict[];
}

/** Returns the policies for a command that restrict the role; none if row security does not. */
export function listPolicies(
  relation: AccessRelation,
  role: AccessRole,
  { rights, command }: { readonly rights: AccessRights; readonly command: PolicyCommand },
): readonly AccessPolicy[] {
  if (freedomOf(relation, role, rights) !== 'none') return [];
  return relation.policies.filter(
    (policy) => (policy.command === 'all' || policy.command === command) && policy.appliesTo.includes(role.name),
  );
}

/** Reads the policies of a relation by name, with all names in them qualified. The search path must be empty. */
export async function readStoredPolicies(
  { schema, name }: QualifiedName,
  run: TransactionQuery,
): Promise<ReadonlyMap<string, StoredPolicy>> {
  const reply = await attempt(run, { text: STORED_SQL, parameters: [schema, name] });
  const documents = reply.ok ? reply.value.map(([document]) => parseJsonObject(document ?? '')) : [];
  return new Map(documents.flatMap((document) => (document === undefined ? [] : [readStored(document)])));
}

const STORED_SQL = `
SELECT pg_catalog.json_build_object('name', policy.polname,
  'using', pg_catalog.pg_get_expr(policy.polqual, policy.polrelid),
  'check', pg_catalog.pg_get_expr(policy.polwithcheck, policy.polrelid),
  'columns', coalesce(pg_catalog.json_agg(DISTINCT pg_catalog.quote_ident(attribute.attname))
    FILTER (WHERE attribute.attname IS NOT NULL), '[]'),
  'calls', coalesce(pg_catalog.json_agg(DISTINCT pg_catalog.format('%I.%I()', space.nspname, proc.proname))
    FILTER (WHERE proc.proname IS NOT NULL), '[]'),
  'indirect', (SELECT coalesce(pg_catalog.json_agg(DISTINCT pg_catalog.concat(read.relname, ' through ', called.proname)), '[]')
    FROM pg_catalog.pg_depend AS uses
    JOIN pg_catalog.pg_proc AS called ON called.oid = uses.refobjid AND NOT called.prosecdef
    JOIN pg_catalog.pg_class AS read ON read.relkind IN ('r', 'p') AND read.relrowsecurity AND ${renderNames('called', 'read')}
    WHERE uses.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass AND uses.objid = policy.oid
      AND uses.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass),
  'tables', coalesce(pg_catalog.json_agg(DISTINCT other.relname) FILTER (WHERE other.relname IS NOT NULL), '[]'))::text
FROM pg_catalog.pg_policy AS policy
JOIN pg_catalog.pg_class AS class ON class.oid = policy.polrelid
JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
LEFT JOIN pg_catalog.pg_depend AS depend
  ON depend.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass AND depend.objid = policy.oid
LEFT JOIN pg_catalog.pg_attribute AS attribute
  ON depend.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND depend.refobjid = policy.polrelid
  AND attribute.attrelid = depend.refobjid AND attribute.attnum = depend.refobjsubid AND attribute.attnum > 0
LEFT JOIN pg_catalog.pg_class AS other
  ON depend.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND other.oid = depend.refobjid
  AND other.oid <> policy.polrelid
LEFT JOIN pg_catalog.pg_proc AS proc
  ON depend.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND proc.oid = depend.refobjid
  AND proc.pronargs = 0 AND proc.provolatile <> 'v' AND NOT proc.proretset
LEFT JOIN pg_catalog.pg_namespace AS space ON space.oid = proc.pronamespace
WHERE namespace.nspname = $1 AND class.relname = $2
GROUP BY policy.oid, policy.polname, policy.polqual, policy.polwithcheck, policy.polrelid`;

function readStored(document: Readonly<Record<string, unknown>>): readonly [string, StoredPolicy] {
  const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
  const { name, using, check, columns, calls, tables, indirect } = document;
  const lists = { columns: listOf(columns), calls: listOf(calls), tables: listOf(tables), indirect: listOf(indirect) };
  return [String(name), { using: textOf(using), check: textOf(check), ...lists }];
}

interface PreparedPart {
  readonly text: string;
  readonly prepared: PreparedExpression;
  readonly terms: readonly (readonly [term: Term, prepared: PreparedExpression])[];
}

export interface PreparedPolicy extends Pick<PolicyVerdicts, 'policy' | 'clause' | 'tables' | 'indirect'> {
  readonly whole: PreparedExpression;
  readonly parts: readonly PreparedPart[];
}

/** Evaluates policies of one relation. Names are resolved by whoever prepares, and values are those of whoever decides. */
export class PolicyEvaluator {
  readonly #expressions: RowExpressions;
  readonly #table: string;
  readonly #stored: ReadonlyMap<string, StoredPolicy>;

  constructor(relation: QualifiedName, stored: ReadonlyMap<string, StoredPolicy>, run: TransactionQuery) {
    this.#expressions = new RowExpressions(relation, run);
    this.#table = quoteIdentifier(relation.name);
    this.#stored = stored;
  }

  /** @param rows literals of the composite type of the relation */
  keepRows(rows: readonly string[]): ReturnType<RowExpressions['keepRows']> {
    return this.#expressions.keepRows(rows);
  }

  /** Prepares another expression, such as a default. */
  prepareValue(expression: string): Promise<PreparedExpression> {
    return this.#expressions.prepare(expression);
  }

  /** Run it as the role. */
  async evaluateValue(prepared: PreparedExpression): Promise<RowValues> {
    return prepared.ok ? this.#expressions.evaluate(prepared.value) : prepared;
  }

  async prepare(policy: AccessPolicy, wanted: Clause): Promise<PreparedPolicy> {
    const stored = this.#stored.get(policy.name) ?? UNKNOWN;
    const clause = wanted === 'check' && stored.check !== null ? 'check' : 'using';
    const expression = stored[clause] ?? 'true';
    const whole = await this.#expressions.prepare(expression);
    const parts: PreparedPart[] = [];
    for (const text of splitConjuncts(expression)) {
      const terms: PreparedPart['terms'][number][] = [];
      for (const term of listTerms(text, stored, this.#table))
        terms.push([term, await this.#expressions.prepare(term.expression)]);
      parts.push({ text, prepared: await this.#expressions.prepare(text), terms });
    }
    return { policy, clause, tables: stored.tables, indirect: stored.indirect, whole, parts };
  }

  /** Run it as the role. */
  async decide(prepared: PreparedPolicy, count: number): Promise<PolicyVerdicts> {
    const { policy, clause, tables, indirect, whole, parts } = prepared;
    const results = await this.#evaluate(whole, count);
    const isOpen = results.every(({ kind }) => kind !== 'false' && kind !== 'null');
    const found: (readonly FailedPart[])[] = isOpen ? [] : await this.#findParts(parts, count);
    const verdicts = results.map((result, row): RowVerdict => {
      if (result.kind !== 'false' && result.kind !== 'null') return { result, parts: [] };
      const known = found[row] ?? [];
      // A part may fail by itself that AND would not have reached.
      const expression = parts.map(({ text }) => text).join(' AND ');
      return { result, parts: known.length > 0 ? known : [{ expression, isNull: result.kind === 'null', values: [] }] };
    });
    return { policy, clause, tables, indirect, verdicts };
  }

  drop(): Promise<void> {
    return this.#expressions.drop();
  }

  async #evaluate(prepared: PreparedExpression, count: number): Promise<readonly PolicyResult[]> {
    const values = await this.evaluateValue(prepared);
    if (!values.ok) return Array.from({ length: count }, () => failed(values.error));
    return values.value.map((value) => ({ kind: value === 'true' || value === 'false' ? value : 'null' }));
  }

  /** Lists the parts that are not true of each row. */
  async #findParts(parts: readonly PreparedPart[], count: number): Promise<FailedPart[][]> {
    const found: FailedPart[][] = Array.from({ length: count }, () => []);
    for (const { text, prepared, terms } of parts) {
      const results = await this.#evaluate(prepared, count);
      if (results.every(({ kind }) => kind === 'true')) continue;
      const columns: (readonly NamedValue[])[] = [];
      for (const [term, expression] of terms) columns.push(await this.#readTerm(term, expression));
      for (const [row, { kind }] of results.entries()) {
        if (kind !== 'false' && kind !== 'null') continue;
        const values = columns.flatMap((column) => column[row] ?? []);
        found[row]?.push({ expression: text, isNull: kind === 'null', values });
      }
    }
    return found;
  }

  /** Returns no values if the role may not evaluate it. */
  async #readTerm({ name, path }: Term, prepared: PreparedExpression): Promise<readonly NamedValue[]> {
    const values = await this.evaluateValue(prepared);
    if (!values.ok) return [];
    return values.value.map((value) => ({ name, value: path === undefined ? value : readPath(value, path) }));
  }
}

const UNKNOWN: StoredPolicy = { using: null, check: null, columns: [], calls: [], tables: [], indirect: [] };

function failed(error: ApiError): PolicyResult {
  return { kind: 'failed', reason: describeReason(error) };
}

function readPath(text: string | null, path: readonly string[]): string | null {
  let value: unknown = parseJsonObject(text ?? '');
  for (const key of path) value = isJsonObject(value) ? value[key] : undefined;
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether the policies allow a row: one permissive policy, and every restrictive one. */
export function allowsRow(decided: readonly PolicyVerdicts[], row: number): boolean {
  const isTrue = ({ verdicts }: PolicyVerdicts): boolean => verdicts[row]?.result.kind === 'true';
  const permissive = decided.filter(({ policy }) => policy.isPermissive);
  return permissive.some(isTrue) && decided.every((each) => each.policy.isPermissive || isTrue(each));
}

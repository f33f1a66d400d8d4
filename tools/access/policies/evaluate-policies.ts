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
} from '../../../src/contract/access-document.ts';
import { quoteIdentifier } from '../../../src/contract/identifiers.ts';
import { isJsonObject, parseJsonObject } from '../../../src/util/json-object.ts';
import { renderNames } from './catalog-terms.ts';
import { listTerms, type PolicyReferences, splitConjuncts, type Term } from './policy-parts.ts';
import { describeReason, type RowExpression, type RowExpressions } from './row-expressions.ts';

export type Clause = 'using' | 'check';

/** What a policy reads. */
interface PolicyUses extends PolicyReferences {
  /** Names of the other tables. */
  readonly tables: readonly string[];
  /** Tables with policies that its functions name, which run as the role: `members through is_member`. */
  readonly indirect: readonly string[];
}

/** A policy as it is stored. */
interface StoredPolicy extends PolicyUses {
  readonly name: string;
  readonly using: string | null;
  readonly check: string | null;
}

/** What one policy says of one row. */
export interface RowVerdict {
  readonly result: PolicyResult;
  /** The parts that are not true; empty if the policy is, or cannot be evaluated. */
  readonly parts: readonly FailedPart[];
}

export interface PolicyVerdicts extends Pick<PolicyUses, 'tables' | 'indirect'> {
  readonly policy: AccessPolicy;
  /** The clause that decides: without WITH CHECK, USING counts for new rows as well. */
  readonly clause: Clause;
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

interface DecidingPolicy extends PolicyUses, Pick<PolicyVerdicts, 'policy' | 'clause'> {
  readonly expression: string;
}

/** Evaluates a policy for the rows that are kept. Call it as the role. */
export type PreparedPolicy = () => Promise<PolicyVerdicts>;

/**
 * Prepares policies of a relation as the inspecting role.
 *
 * @param limit policies beyond it are taken together, so that an explanation ends within seconds and can be read
 */
export async function preparePolicies(
  asked: readonly { readonly policy: AccessPolicy; readonly clause: Clause }[],
  expressions: RowExpressions,
  limit: number = Infinity,
): Promise<readonly PreparedPolicy[]> {
  const rows = await expressions.readCatalog(STORED_SQL);
  const stored = rows.map(([text]): StoredPolicy => JSON.parse(text ?? ''));
  const deciding = asked.map(({ policy, clause: wanted }): DecidingPolicy => {
    const known = stored.find(({ name }) => name === policy.name) ?? UNKNOWN;
    const clause = wanted === 'check' && known.check !== null ? 'check' : 'using';
    return { ...known, policy, clause, expression: known[clause] ?? 'true' };
  });
  const prepared: PreparedPolicy[] = [];
  for (const each of joinFurther(deciding, limit)) prepared.push(await preparePolicy(each, expressions));
  return prepared;
}

const UNKNOWN: StoredPolicy = { name: '', using: null, check: null, columns: [], calls: [], tables: [], indirect: [] };

/** Returns the first policies, and instead of the others of each kind a single one that decides as they do. */
function joinFurther(policies: readonly DecidingPolicy[], limit: number): readonly DecidingPolicy[] {
  const joined = [true, false].flatMap((isPermissive): readonly DecidingPolicy[] => {
    const others = policies.slice(limit).filter(({ policy }) => policy.isPermissive === isPermissive);
    const [first] = others;
    if (first === undefined) return [];
    const policy = { ...first.policy, name: `${others.length} others` };
    const expression = others.map((each) => `(${each.expression})`).join(isPermissive ? ' OR ' : ' AND ');
    return [{ ...UNKNOWN, policy, clause: 'using', expression }];
  });
  return [...policies.slice(0, limit), ...joined];
}

interface PreparedPart {
  readonly text: string;
  readonly evaluate: RowExpression;
  readonly terms: readonly (readonly [term: Term, evaluate: RowExpression])[];
}

async function preparePolicy(deciding: DecidingPolicy, expressions: RowExpressions): Promise<PreparedPolicy> {
  const { policy, clause, expression, tables, indirect } = deciding;
  const whole = await expressions.prepare(expression);
  const parts: PreparedPart[] = [];
  for (const text of splitConjuncts(expression)) {
    const terms: (readonly [Term, RowExpression])[] = [];
    for (const term of listTerms(text, deciding, quoteIdentifier(expressions.relation.name)))
      terms.push([term, await expressions.prepare(term.expression)]);
    parts.push({ text, evaluate: await expressions.prepare(text), terms });
  }
  return async () => {
    const results = await test(whole, expressions.count);
    const found = results.some(isRejection) ? await findParts(parts, results.length) : [];
    const verdicts = results.map((result, row): RowVerdict => {
      if (!isRejection(result)) return { result, parts: [] };
      const known = found[row] ?? [];
      if (known.length > 0) return { result, parts: known };
      // A part may fail by itself that AND would not have reached.
      const all = parts.map(({ text }) => text).join(' AND ');
      return { result, parts: [{ expression: all, isNull: result.kind === 'null', values: [] }] };
    });
    return { policy, clause, tables, indirect, verdicts };
  };
}

function isRejection({ kind }: PolicyResult): boolean {
  return kind === 'false' || kind === 'null';
}

async function test(evaluate: RowExpression, count: number): Promise<readonly PolicyResult[]> {
  const values = await evaluate();
  if (values.ok) return values.value.map((value) => ({ kind: value === 'true' || value === 'false' ? value : 'null' }));
  const reason = describeReason(values.error);
  return Array.from({ length: count }, () => ({ kind: 'failed', reason }));
}

/** Lists the parts that are not true of each row. */
async function findParts(parts: readonly PreparedPart[], count: number): Promise<FailedPart[][]> {
  const found: FailedPart[][] = Array.from({ length: count }, () => []);
  for (const { text, evaluate, terms } of parts) {
    const results = await test(evaluate, count);
    if (!results.some(isRejection)) continue;
    const columns: (readonly NamedValue[])[] = [];
    for (const [{ name, path }, read] of terms) {
      const values = await read();
      // The role may not be able to evaluate it.
      if (!values.ok) continue;
      columns.push(values.value.map((value) => ({ name, value: path === undefined ? value : readPath(value, path) })));
    }
    for (const [row, result] of results.entries())
      if (isRejection(result)) {
        const values = columns.flatMap((column) => column[row] ?? []);
        found[row]?.push({ expression: text, isNull: result.kind === 'null', values });
      }
  }
  return found;
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

// Finds out why a role sees a row or not, or why it cannot insert or change it: reads the row as the owner or the login role,
// then evaluates each policy for it as the role, with the settings of a request. Of the row, only the values that a policy
// that is not true names leave this module.
import type {
  AccessDocument,
  AccessPolicy,
  AccessRelation,
  AccessRights,
  AccessRole,
  EvaluatedPolicy,
  RowExplanation,
  RowQuestion,
  RowLookup,
  RowOutcome,
} from '../../src/contract/access-document.ts';
import { renderClaims } from '../../src/auth/claims.ts';
import { type QualifiedName, quoteIdentifier } from '../../src/contract/identifiers.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { Statement } from '../../src/contract/transaction.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import type { TransactionQuery, QueryReply } from '../../src/postgres/session/query.ts';
import { renderSettings, type SenderSettings } from '../../src/sql/text/settings.ts';
import { quoteQualified } from '../../src/sql/text/identifier.ts';
import { listPolicies, preparePolicies } from './policies/evaluate-policies.ts';
import {
  attempt,
  describeReason,
  limitTime,
  type RowExpression,
  RowExpressions,
  setLocally,
} from './policies/row-expressions.ts';

/** Settings of every request, which policies may depend on. */
type RequestSettings = Pick<SenderSettings, 'extraSearchPath' | 'appSettings'> & {
  /** Runs before each request. */
  readonly preRequest: Statement | undefined;
};

/** Two transactions, or one in both places. */
export interface Runs {
  /** As the login role of the server, which may assume the roles of requests. */
  readonly asLogin: TransactionQuery;
  /** As the owner of the tables, if its connection is known; otherwise as the login role. */
  readonly asInspector: TransactionQuery;
}

/** @param document describes only the relation in question */
export async function explainRow(
  question: RowQuestion,
  { document, settings }: { readonly document: AccessDocument; readonly settings: RequestSettings },
  { asLogin, asInspector: run }: Runs,
): Promise<Result<RowExplanation, ApiError>> {
  const subject = findSubject(question, document);
  if (!subject.ok) return subject;
  const { role, relation, rights, policies } = subject.value;
  const name: QualifiedName = { schema: question.schema, name: relation.name };
  const isInsert = question.action === 'insert';
  const key = isInsert ? undefined : Object.entries(question.key);
  await limitTime(run);
  const stored = key && (await findRow(name, key, run));
  const session = await attempt(run, { text: 'SELECT session_user', parameters: [] });
  const path = [question.schema, ...settings.extraSearchPath].map(quoteIdentifier).join(', ');
  const expressions = new RowExpressions(name, path, run);
  // Without USAGE, the role cannot even name the type of the row.
  const isPrepared = (isInsert || stored?.row.kind === 'found') && role.hasUsage;
  const asked = policies.map(
    (policy) => ({ policy, clause: policy.command === 'insert' ? 'check' : 'using' }) as const,
  );
  const prepared = isPrepared ? await preparePolicies(asked, expressions) : [];
  const defaults = isPrepared && isInsert ? await prepareDefaults(expressions) : [];
  const request = renderRequest(question, settings);
  const started = await become(request, settings.preRequest, run);
  // Defaults depend on the role and its claims.
  const { row, literal } = stored ?? (await propose(question.proposed, defaults, expressions));
  const isShared = asLogin === run;
  // The owner may not be able to assume the role; the login role of the server is.
  if (!isShared) await limitTime(asLogin);
  const begun = isShared ? started : await become(request, settings.preRequest, asLogin);
  const outcome = await look(name, { key, begun }, asLogin);
  await expressions.keepRows([literal]);
  const isDecided = isPrepared && started.ok && (row.kind === 'found' || row.kind === 'proposed');
  const evaluated: EvaluatedPolicy[] = [];
  for (const [index, policy] of policies.entries()) {
    const decided = isDecided ? await prepared[index]?.() : undefined;
    const { result, parts } = decided?.verdicts[0] ?? SKIPPED;
    evaluated.push({ ...pickPolicy(policy), result, parts });
  }
  await expressions.drop();
  const { columns, rights: _rights, policies: _policies, ...facts } = relation;
  const { select } = rights;
  const hiddenColumns = select === true ? [] : columns.filter((column) => select === false || !select.includes(column));
  const inspector = { name: (session.ok && session.value[0]?.[0]) || '', isLogin: isShared };
  const found = { role, relation: facts, rights, hiddenColumns, row, policies: evaluated, outcome, inspector };
  return ok({ action: question.action, ...found });
}

const SKIPPED: Pick<EvaluatedPolicy, 'result' | 'parts'> = { result: { kind: 'skipped' }, parts: [] };

interface Subject {
  readonly role: AccessRole;
  readonly relation: AccessRelation;
  readonly rights: AccessRights;
  /** Those that restrict what the role reads, or does. */
  readonly policies: readonly AccessPolicy[];
}

function findSubject(question: RowQuestion, document: AccessDocument) {
  const { schema, relation: name, key, proposed, role: roleName, action } = question;
  const [relation] = document.relations;
  if (relation === undefined)
    return fail<ApiError>({ kind: 'relationNotFound', relation: { schema, name }, suggestion: undefined });
  const unknown = Object.keys({ ...key, ...proposed }).find((column) => !relation.columns.includes(column));
  if (unknown !== undefined)
    return fail<ApiError>({ kind: 'columnNotFound', column: unknown, relation: name, suggestion: undefined });
  const index = document.roles.findIndex((one) => one.name === roleName);
  const role = document.roles[index];
  const rights = relation.rights[index];
  if (role === undefined || rights === undefined)
    return fail<ApiError>({ kind: 'invalidBody', message: `The server cannot assume the role "${roleName}"` });
  const list = (command: RowQuestion['action']): readonly AccessPolicy[] =>
    listPolicies(relation, role, { rights, command });
  // A request finds the row by its key or returns it, so it must also be able to read it.
  const policies =
    action === 'insert'
      ? [...list('insert').map(narrow('insert')), ...list('select').map(narrow('select'))]
      : undefined;
  return ok<Subject>({
    role,
    relation,
    rights,
    policies: policies ?? [...new Set([...list('select'), ...list(action)])],
  });
}

/** Of a row that is inserted, WITH CHECK and USING may differ. */
function narrow(command: 'insert' | 'select') {
  return (policy: AccessPolicy): AccessPolicy => ({ ...policy, command });
}

function pickPolicy(policy: AccessPolicy): Omit<EvaluatedPolicy, 'result' | 'parts'> {
  const { name, command, isPermissive, roles, using, check } = policy;
  const common = { name, command, isPermissive, roles };
  if (command === 'insert') return { ...common, using: check ?? using ?? 'true', check: null };
  return { ...common, using: using ?? 'true', check };
}

/** Returns the settings of a request of the role with the claims. */
function renderRequest({ schema, relation, role, claims, action }: RowQuestion, settings: RequestSettings): Statement {
  return renderSettings(
    { schema, timezone: undefined, ownSettings: [], access: 'read only' },
    {
      ...settings,
      role,
      claims: renderClaims({ claims, text: JSON.stringify(claims) }, role),
      method: action === 'insert' ? 'POST' : 'GET',
      path: `/${relation}`,
      headers: '{}',
      cookies: '{}',
      roleSettings: [],
    },
  );
}

/** Takes the role for the rest of the transaction. */
async function become(
  request: Statement,
  preRequest: Statement | undefined,
  run: TransactionQuery,
): Promise<QueryReply> {
  const taken = await attempt(run, request);
  return taken.ok && preRequest !== undefined ? attempt(run, preRequest) : taken;
}

/** Of the row, only the literal of its composite type; empty unless it is known. */
interface FoundRow {
  readonly row: RowLookup;
  readonly literal: string;
}

/** Values by column, as text. */
type RowKey = readonly (readonly [column: string, value: string])[];

async function findRow(relation: QualifiedName, key: RowKey, run: TransactionQuery): Promise<FoundRow> {
  const known = (row: RowLookup, literal = ''): FoundRow => ({ row, literal });
  const output = `(${quoteIdentifier(relation.name)}.*)::text`;
  const lookup = renderByKey(relation, key, { output, limit: 2 });
  // With row_security off, PostgreSQL reports an error instead of hiding rows from the inspecting role.
  await setLocally(run, 'row_security', 'off');
  const complete = await attempt(run, lookup);
  await setLocally(run, 'row_security', 'on');
  const reply = complete.ok ? complete : await attempt(run, lookup);
  if (!reply.ok) return known({ kind: 'unreadable', reason: describeReason(reply.error) });
  const [row, other] = reply.value;
  if (row === undefined) return known({ kind: complete.ok ? 'missing' : 'unseen' });
  return other === undefined ? known({ kind: 'found' }, row[0] ?? '') : known({ kind: 'several' });
}

/** Looks for the row as the role. @param begun whether the session has taken the role */
async function look(
  relation: QualifiedName,
  { key, begun }: { readonly key: RowKey | undefined; readonly begun: QueryReply },
  run: TransactionQuery,
): Promise<RowOutcome> {
  if (begun.ok && key === undefined) return { kind: 'untried' };
  const lookup = key && renderByKey(relation, key, { output: '', limit: 1 });
  const reply = begun.ok && lookup !== undefined ? await attempt(run, lookup) : begun;
  if (!reply.ok) return { kind: 'failed', reason: describeReason(reply.error) };
  return { kind: reply.value.length > 0 ? 'visible' : 'hidden' };
}

function renderByKey(
  relation: QualifiedName,
  key: RowKey,
  { output, limit }: { readonly output: string; readonly limit: number },
): Statement {
  const from = `${quoteQualified(relation)} AS ${quoteIdentifier(relation.name)}`;
  const conditions = key.map(([column], index) => `${quoteIdentifier(column)} = $${index + 1}`);
  return {
    text: `SELECT ${output} FROM ${from} WHERE ${conditions.join(' AND ')} LIMIT ${limit}`,
    parameters: key.map(([, value]) => value),
  };
}

interface ColumnDefault {
  readonly column: string;
  readonly evaluate: RowExpression;
  /** Whether the column is of the type json or jsonb. */
  readonly isJson: boolean;
}

/** Prepares the defaults as the inspecting role: those that use them need no privilege to name their functions. */
async function prepareDefaults(expressions: RowExpressions): Promise<readonly ColumnDefault[]> {
  const defaults: ColumnDefault[] = [];
  for (const [column, expression, isJson] of await expressions.readCatalog(DEFAULTS_SQL))
    defaults.push({
      column: column ?? '',
      evaluate: await expressions.prepare(expression ?? 'NULL'),
      isJson: isJson === 't',
    });
  const empty = await attempt(expressions.run, renderProposed(expressions.relation, '{}'));
  await expressions.keepRows(empty.ok ? [empty.value[0]?.[0] ?? ''] : []);
  return defaults;
}

/** Completes a row with the defaults, as the role. */
async function propose(
  proposed: RowQuestion['proposed'],
  defaults: readonly ColumnDefault[],
  { relation, run }: RowExpressions,
): Promise<FoundRow> {
  const values = new Map(Object.entries(proposed));
  const unknown: string[] = [];
  for (const { column, evaluate, isJson } of defaults) {
    if (values.has(column)) continue;
    const value = await evaluate();
    const text = value.ok ? (value.value[0] ?? null) : null;
    if (!value.ok) unknown.push(column);
    // PostgreSQL reads the text of any other type.
    values.set(column, isJson ? JSON.parse(text ?? 'null') : text);
  }
  const reply = await attempt(run, renderProposed(relation, JSON.stringify(Object.fromEntries(values))));
  if (!reply.ok) return { row: { kind: 'unreadable', reason: describeReason(reply.error) }, literal: '' };
  return { row: { kind: 'proposed', columns: Object.keys(proposed), unknown }, literal: reply.value[0]?.[0] ?? '' };
}

/** Generated columns follow from others. */
const DEFAULTS_SQL = `
SELECT attribute.attname, pg_catalog.pg_get_expr(given.adbin, given.adrelid),
  attribute.atttypid IN ('json'::pg_catalog.regtype, 'jsonb'::pg_catalog.regtype)
FROM pg_catalog.pg_attrdef AS given
JOIN pg_catalog.pg_attribute AS attribute ON attribute.attrelid = given.adrelid AND attribute.attnum = given.adnum
JOIN pg_catalog.pg_class AS class ON class.oid = given.adrelid
JOIN pg_catalog.pg_namespace AS space ON space.oid = class.relnamespace
WHERE space.nspname = $1 AND class.relname = $2 AND attribute.attgenerated = '' ORDER BY attribute.attnum`;

/** Returns a row as a literal of the composite type of the relation. @param row JSON */
function renderProposed(relation: QualifiedName, row: string): Statement {
  const type = quoteQualified(relation);
  return {
    text: `SELECT pg_catalog.jsonb_populate_record(NULL::${type}, $1::pg_catalog.jsonb)::text`,
    parameters: [row],
  };
}

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
import { listPolicies, PolicyEvaluator, type PreparedPolicy, readStoredPolicies } from './evaluate-policies.ts';
import { attempt, describeReason, type PreparedExpression, setLocally } from './row-expressions.ts';

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
  { asLogin, asInspector }: Runs,
): Promise<Result<RowExplanation, ApiError>> {
  const subject = findSubject(question, document);
  if (!subject.ok) return subject;
  const { role, relation, rights, policies } = subject.value;
  const name: QualifiedName = { schema: question.schema, name: relation.name };
  const key = Object.entries(question.key);
  const isInsert = question.action === 'insert';
  const steps = new RowSteps(name, asInspector);
  const stored = isInsert ? undefined : await steps.findRow(key);
  const inspector = await steps.readRole();
  const path = [question.schema, ...settings.extraSearchPath];
  // Without USAGE, the role cannot even name the type of the row.
  const isPrepared = (isInsert || stored?.kind === 'found') && role.hasUsage;
  const prepared = isPrepared ? await steps.prepare(policies, path) : [];
  if (isPrepared && isInsert) await steps.prepareDefaults(path);
  const isShared = asLogin === asInspector;
  const request = renderRequest(question, settings);
  const started = await steps.become(request, settings.preRequest);
  // Defaults depend on the role and its claims.
  const row = stored ?? (await steps.propose(question.proposed));
  const isDecided = isPrepared && (row.kind === 'found' || row.kind === 'proposed');
  // The owner may not be able to assume the role; the login role of the server is.
  const outcome = isShared
    ? await steps.look(isInsert ? undefined : key, started)
    : await askAsLogin(new RowSteps(name, asLogin), {
        key: isInsert ? undefined : key,
        request,
        preRequest: settings.preRequest,
      });
  const evaluated = isDecided && started.ok ? await steps.decide(prepared) : policies.map(skip);
  await steps.drop();
  const { columns, rights: _rights, policies: _policies, ...facts } = relation;
  const { select } = rights;
  const hiddenColumns = select === true ? [] : columns.filter((column) => select === false || !select.includes(column));
  const found = { role, relation: facts, rights, hiddenColumns, row, policies: evaluated, outcome };
  return ok({ action: question.action, ...found, inspector: { name: inspector, isLogin: isShared } });
}

interface LoginQuestion extends Pick<RequestSettings, 'preRequest'> {
  /** Undefined: there is no row to look for. */
  readonly key: RowKey | undefined;
  readonly request: Statement;
}

/** Returns what a request gets. */
async function askAsLogin(steps: RowSteps, { key, request, preRequest }: LoginQuestion): Promise<RowOutcome> {
  await steps.limitTime();
  return await steps.look(key, await steps.become(request, preRequest));
}

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

function skip(policy: AccessPolicy): EvaluatedPolicy {
  return { ...pickPolicy(policy), result: { kind: 'skipped' }, parts: [] };
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

// The statements that answer one question about a row, in the order of the methods. They share one read-only transaction;
// an error concerns only its own step.

/** A policy may call slow functions, and a key may have no index. */
const TIMEOUT = '5s';

interface ColumnDefault {
  readonly column: string;
  readonly prepared: PreparedExpression;
  /** Whether the column is of the type json or jsonb. */
  readonly isJson: boolean;
}

class RowSteps {
  readonly #relation: QualifiedName;
  readonly #run: TransactionQuery;
  /** Of the row; empty unless it is found. */
  #literal = '';
  #evaluator: PolicyEvaluator | undefined;
  readonly #defaults: ColumnDefault[] = [];

  constructor(relation: QualifiedName, run: TransactionQuery) {
    this.#relation = relation;
    this.#run = run;
  }

  limitTime(): Promise<QueryReply> {
    return setLocally(this.#run, 'statement_timeout', TIMEOUT);
  }

  async findRow(key: RowKey): Promise<RowLookup> {
    const limit = await this.limitTime();
    const lookup = renderRowLookup(this.#relation, key);
    // With row_security off, PostgreSQL reports an error instead of hiding rows from the inspecting role.
    await setLocally(this.#run, 'row_security', 'off');
    const complete = limit.ok ? await attempt(this.#run, lookup) : limit;
    await setLocally(this.#run, 'row_security', 'on');
    const reply = complete.ok ? complete : await attempt(this.#run, lookup);
    if (!reply.ok) return { kind: 'unreadable', reason: describeReason(reply.error) };
    const [row, other] = reply.value;
    if (row === undefined) return { kind: complete.ok ? 'missing' : 'unseen' };
    if (other !== undefined) return { kind: 'several' };
    this.#literal = row[0] ?? '';
    return { kind: 'found' };
  }

  /**
   * Prepares the policies as the inspecting role.
   *
   * @param path the search path of the request; under another one, PostgreSQL would resolve the names again
   */
  async prepare(policies: readonly AccessPolicy[], path: readonly string[]): Promise<readonly PreparedPolicy[]> {
    await setLocally(this.#run, 'search_path', '');
    const evaluator = new PolicyEvaluator(
      this.#relation,
      await readStoredPolicies(this.#relation, this.#run),
      this.#run,
    );
    await setLocally(this.#run, 'search_path', path.map(quoteIdentifier).join(', '));
    await evaluator.keepRows([this.#literal]);
    this.#evaluator = evaluator;
    const prepared: PreparedPolicy[] = [];
    for (const policy of policies)
      prepared.push(await evaluator.prepare(policy, policy.command === 'insert' ? 'check' : 'using'));
    return prepared;
  }

  /** Prepares the defaults as the inspecting role: those that use them need no privilege to name their functions. */
  async prepareDefaults(path: readonly string[]): Promise<void> {
    await setLocally(this.#run, 'search_path', '');
    const { schema, name } = this.#relation;
    const reply = await attempt(this.#run, { text: DEFAULTS_SQL, parameters: [schema, name] });
    await setLocally(this.#run, 'search_path', path.map(quoteIdentifier).join(', '));
    const empty = await attempt(this.#run, renderProposed(this.#relation, '{}'));
    await this.#evaluator?.keepRows(empty.ok ? [empty.value[0]?.[0] ?? ''] : []);
    for (const [column, expression, isJson] of reply.ok ? reply.value : []) {
      const prepared = await this.#evaluator?.prepareValue(expression ?? 'NULL');
      if (prepared !== undefined) this.#defaults.push({ column: column ?? '', prepared, isJson: isJson === 't' });
    }
  }

  /** Completes a row with the defaults, as the role. */
  async propose(proposed: RowQuestion['proposed']): Promise<RowLookup> {
    const values = new Map(Object.entries(proposed));
    const unknown: string[] = [];
    for (const { column, prepared, isJson } of this.#defaults) {
      if (values.has(column)) continue;
      const value = await this.#evaluator?.evaluateValue(prepared);
      const text = value?.ok === true ? (value.value[0] ?? null) : null;
      if (value?.ok !== true) unknown.push(column);
      // PostgreSQL reads the text of any other type.
      values.set(column, isJson ? JSON.parse(text ?? 'null') : text);
    }
    const reply = await attempt(this.#run, renderProposed(this.#relation, JSON.stringify(Object.fromEntries(values))));
    if (!reply.ok) return { kind: 'unreadable', reason: describeReason(reply.error) };
    this.#literal = reply.value[0]?.[0] ?? '';
    await this.#evaluator?.keepRows([this.#literal]);
    return { kind: 'proposed', columns: Object.keys(proposed), unknown };
  }

  /** Takes the role for the rest of the transaction. */
  async become(request: Statement, preRequest: Statement | undefined): Promise<QueryReply> {
    const taken = await attempt(this.#run, request);
    return taken.ok && preRequest !== undefined ? attempt(this.#run, preRequest) : taken;
  }

  /** Returns the role of the connection. */
  async readRole(): Promise<string> {
    const reply = await attempt(this.#run, { text: 'SELECT session_user', parameters: [] });
    return reply.ok ? (reply.value[0]?.[0] ?? '') : '';
  }

  /** @param started whether the session has taken the role */
  async look(key: RowKey | undefined, started: QueryReply): Promise<RowOutcome> {
    const isTried = started.ok && key !== undefined;
    const reply = isTried ? await attempt(this.#run, renderVisibility(this.#relation, key)) : started;
    if (reply.ok && !isTried) return { kind: 'untried' };
    if (!reply.ok) return { kind: 'failed', reason: describeReason(reply.error) };
    return { kind: reply.value.length > 0 ? 'visible' : 'hidden' };
  }

  /** Evaluates the policies as the role. */
  async decide(prepared: readonly PreparedPolicy[]): Promise<readonly EvaluatedPolicy[]> {
    const evaluated: EvaluatedPolicy[] = [];
    for (const each of prepared) {
      const decided = await this.#evaluator?.decide(each, 1);
      const { result, parts } = decided?.verdicts[0] ?? skip(each.policy);
      evaluated.push({ ...pickPolicy(each.policy), result, parts });
    }
    return evaluated;
  }

  async drop(): Promise<void> {
    await this.#evaluator?.drop();
  }
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

// The statements that find out why a role sees a row or not. Values of the key are parameters.

/** Values by column, as text. */
type RowKey = readonly (readonly [column: string, value: string])[];

/** Returns the row under the key as a literal of its composite type, and a second one if the key is not unique. */
function renderRowLookup(relation: QualifiedName, key: RowKey): Statement {
  const row = `(${quoteIdentifier(relation.name)}.*)::text`;
  return { text: `SELECT ${row} FROM ${renderFrom(relation, key)} LIMIT 2`, parameters: valuesOf(key) };
}

/** Run it as the role. Returns a row if the role sees the one under the key. */
function renderVisibility(relation: QualifiedName, key: RowKey): Statement {
  return { text: `SELECT FROM ${renderFrom(relation, key)} LIMIT 1`, parameters: valuesOf(key) };
}

function renderFrom(relation: QualifiedName, key: RowKey): string {
  const conditions = key.map(([column], index) => `${quoteIdentifier(column)} = $${index + 1}`);
  return `${quoteQualified(relation)} AS ${quoteIdentifier(relation.name)} WHERE ${conditions.join(' AND ')}`;
}

function valuesOf(key: RowKey): readonly string[] {
  return key.map(([, value]) => value);
}

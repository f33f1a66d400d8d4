// Finds out why a role sees a row or not, or why it cannot change it: reads the row as the owner or the login role, then
// evaluates each policy for it as the role, with the settings of a request. Of the row, only the values that a policy that
// is not true names leave this module.
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
import { attempt, describeReason, setLocally } from './row-expressions.ts';

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
  const steps = new RowSteps(name, asInspector);
  const row = await steps.findRow(key);
  const inspector = await steps.readRole();
  const path = [question.schema, ...settings.extraSearchPath];
  // Without USAGE, the role cannot even name the type of the row.
  const isDecided = row.kind === 'found' && role.hasUsage;
  const prepared = isDecided ? await steps.prepare(policies, path) : [];
  const isShared = asLogin === asInspector;
  const request = renderRequest(question, settings);
  const started = await steps.become(request, settings.preRequest);
  // The owner may not be able to assume the role; the login role of the server is.
  const outcome = isShared
    ? await steps.look(key, started)
    : await askAsLogin(new RowSteps(name, asLogin), { key, request, preRequest: settings.preRequest });
  const evaluated = isDecided && started.ok ? await steps.decide(prepared) : policies.map(skip);
  await steps.drop();
  const { columns, rights: _rights, policies: _policies, ...facts } = relation;
  const { select } = rights;
  const hiddenColumns = select === true ? [] : columns.filter((column) => select === false || !select.includes(column));
  const found = { role, relation: facts, rights, hiddenColumns, row, policies: evaluated, outcome };
  return ok({ action: question.action, ...found, inspector: { name: inspector, isLogin: isShared } });
}

interface LoginQuestion extends Pick<RequestSettings, 'preRequest'> {
  readonly key: RowKey;
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

function findSubject({ schema, relation: name, key, role: roleName, action }: RowQuestion, document: AccessDocument) {
  const [relation] = document.relations;
  if (relation === undefined)
    return fail<ApiError>({ kind: 'relationNotFound', relation: { schema, name }, suggestion: undefined });
  const unknown = Object.keys(key).find((column) => !relation.columns.includes(column));
  if (unknown !== undefined)
    return fail<ApiError>({ kind: 'columnNotFound', column: unknown, relation: name, suggestion: undefined });
  const index = document.roles.findIndex((one) => one.name === roleName);
  const role = document.roles[index];
  const rights = relation.rights[index];
  if (role === undefined || rights === undefined)
    return fail<ApiError>({ kind: 'invalidBody', message: `The server cannot assume the role "${roleName}"` });
  const list = (command: RowQuestion['action']): readonly AccessPolicy[] =>
    listPolicies(relation, role, { rights, command });
  // A request finds the row by its key, so it must also be able to read it.
  const policies = [...new Set([...list('select'), ...list(action)])];
  return ok<Subject>({ role, relation, rights, policies });
}

function skip(policy: AccessPolicy): EvaluatedPolicy {
  return { ...pickPolicy(policy), result: { kind: 'skipped' }, parts: [] };
}

function pickPolicy(policy: AccessPolicy): Omit<EvaluatedPolicy, 'result' | 'parts'> {
  const { name, command, isPermissive, roles, using, check } = policy;
  return { name, command, isPermissive, roles, using: using ?? 'true', check };
}

/** Returns the settings of a request of the role with the claims. */
function renderRequest({ schema, relation, role, claims }: RowQuestion, settings: RequestSettings): Statement {
  return renderSettings(
    { schema, timezone: undefined, ownSettings: [], access: 'read only' },
    {
      ...settings,
      role,
      claims: renderClaims({ claims, text: JSON.stringify(claims) }, role),
      method: 'GET',
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

class RowSteps {
  readonly #relation: QualifiedName;
  readonly #run: TransactionQuery;
  /** Of the row; empty unless it is found. */
  #literal = '';
  #evaluator: PolicyEvaluator | undefined;

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
    for (const policy of policies) prepared.push(await evaluator.prepare(policy, 'using'));
    return prepared;
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
  async look(key: RowKey, started: QueryReply): Promise<RowOutcome> {
    const reply = started.ok ? await attempt(this.#run, renderVisibility(this.#relation, key)) : started;
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

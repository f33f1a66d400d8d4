// Finds out why a role sees a row or not: reads the row as the owner or the login role, then evaluates each policy for it
// as the role, with the settings of a request. Only the results of the policies leave this module, never the row.
import type {
  AccessDocument,
  AccessPolicy,
  AccessRelation,
  AccessRights,
  AccessRole,
  EvaluatedPolicy,
  RowExplanation,
  RowQuestion,
  PolicyResult,
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
  const prepared = row.kind === 'found' && role.hasUsage ? await steps.prepare(policies, path) : [];
  const isShared = asLogin === asInspector;
  const request = renderRequest(question, settings);
  const started = await steps.become(request, settings.preRequest);
  // The owner may not be able to assume the role; the login role of the server is.
  const outcome = isShared
    ? await steps.look(key, started)
    : await askAsLogin(new RowSteps(name, asLogin), { key, request, preRequest: settings.preRequest });
  const evaluated: EvaluatedPolicy[] = [];
  for (const [index, policy] of policies.entries())
    evaluated.push({ ...pickPolicy(policy), result: await steps.evaluate(prepared[index]) });
  const { columns, rights: _rights, policies: _policies, ...facts } = relation;
  const { select } = rights;
  const hiddenColumns = select === true ? [] : columns.filter((column) => select === false || !select.includes(column));
  const found = { role, relation: facts, rights, hiddenColumns, row, policies: evaluated, outcome };
  return ok({ ...found, inspector: { name: inspector, isLogin: isShared } });
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
  /** Those that restrict what the role reads. */
  readonly policies: readonly AccessPolicy[];
}

function findSubject({ schema, relation: name, key, role: roleName }: RowQuestion, document: AccessDocument) {
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
  return ok<Subject>({ role, relation, rights, policies: listPolicies(relation, role, rights) });
}

/** Returns none if row security does not restrict the role. */
function listPolicies(relation: AccessRelation, role: AccessRole, { isOwner }: AccessRights): readonly AccessPolicy[] {
  const { rowSecurity, policies } = relation;
  if (rowSecurity === 'off' || role.isSuperuser || role.bypassesRowSecurity) return [];
  if (isOwner && rowSecurity === 'on') return [];
  return policies.filter(
    ({ command, appliesTo }) => (command === 'all' || command === 'select') && appliesTo.includes(role.name),
  );
}

function pickPolicy({ name, command, isPermissive, roles, using }: AccessPolicy): Omit<EvaluatedPolicy, 'result'> {
  return { name, command, isPermissive, roles, using: using ?? 'true' };
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

/** A prepared statement, or why there is none. */
type PreparedPolicy = Result<string, ApiError>;

class RowSteps {
  readonly #relation: QualifiedName;
  readonly #run: TransactionQuery;
  #hasRole = false;

  constructor(relation: QualifiedName, run: TransactionQuery) {
    this.#relation = relation;
    this.#run = run;
  }

  limitTime(): Promise<QueryReply> {
    return this.#set('statement_timeout', TIMEOUT);
  }

  /** Keeps the row in a setting of the transaction, where the prepared policies find it. */
  async findRow(key: RowKey): Promise<RowLookup> {
    const limit = await this.limitTime();
    const lookup = renderRowLookup(this.#relation, key);
    // With row_security off, PostgreSQL reports an error instead of hiding rows from the inspecting role.
    await this.#set('row_security', 'off');
    const complete = limit.ok ? await this.#attempt(lookup) : limit;
    await this.#set('row_security', 'on');
    const reply = complete.ok ? complete : await this.#attempt(lookup);
    if (!reply.ok) return { kind: 'unreadable', reason: describe(reply.error) };
    const [row, other] = reply.value;
    if (row === undefined) return { kind: complete.ok ? 'missing' : 'unseen' };
    if (other !== undefined) return { kind: 'several' };
    const kept = await this.#set(ROW_SETTING, row[0] ?? '');
    return kept.ok ? { kind: 'found' } : { kind: 'unreadable', reason: describe(kept.error) };
  }

  /**
   * Prepares the policies as the inspecting role.
   *
   * @param path the search path of the request; under another one, PostgreSQL would resolve the names again
   */
  async prepare(policies: readonly AccessPolicy[], path: readonly string[]): Promise<readonly PreparedPolicy[]> {
    await this.#set('search_path', '');
    const reply = await this.#attempt(renderExpressions(this.#relation));
    const expressions = new Map(reply.ok ? reply.value.map(([name, using]) => [name, using]) : []);
    await this.#set('search_path', path.map(quoteIdentifier).join(', '));
    const prepared: PreparedPolicy[] = [];
    for (const [index, policy] of policies.entries()) {
      const name = `policy_${index}`;
      const text = renderPreparation(name, expressions.get(policy.name) ?? 'true', this.#relation);
      const made = await this.#attempt({ text, parameters: [] });
      prepared.push(made.ok ? ok(name) : made);
    }
    return prepared;
  }

  /** Takes the role for the rest of the transaction. */
  async become(request: Statement, preRequest: Statement | undefined): Promise<QueryReply> {
    const taken = await this.#attempt(request);
    const begun = taken.ok && preRequest !== undefined ? await this.#attempt(preRequest) : taken;
    this.#hasRole = begun.ok;
    return begun;
  }

  /** Returns the role of the connection. */
  async readRole(): Promise<string> {
    const reply = await this.#attempt({ text: 'SELECT session_user', parameters: [] });
    return reply.ok ? (reply.value[0]?.[0] ?? '') : '';
  }

  /** @param started whether the session has taken the role */
  async look(key: RowKey, started: QueryReply): Promise<RowOutcome> {
    if (!started.ok) return failed(started.error);
    const reply = await this.#attempt(renderVisibility(this.#relation, key));
    return reply.ok ? { kind: reply.value.length > 0 ? 'visible' : 'hidden' } : failed(reply.error);
  }

  async evaluate(prepared: PreparedPolicy | undefined): Promise<PolicyResult> {
    if (prepared === undefined) return { kind: 'skipped' };
    if (!prepared.ok) return failed(prepared.error);
    const reply = this.#hasRole
      ? await this.#attempt({ text: `EXECUTE ${prepared.value}`, parameters: [] })
      : undefined;
    // Behind a pooler, the session goes on with another client.
    await this.#attempt({ text: `DEALLOCATE ${prepared.value}`, parameters: [] });
    if (reply === undefined) return { kind: 'skipped' };
    if (!reply.ok) return failed(reply.error);
    const value = reply.value[0]?.[0];
    return { kind: value === 'true' || value === 'false' ? value : 'null' };
  }

  #set(name: string, value: string): Promise<QueryReply> {
    return this.#attempt({ text: 'SELECT pg_catalog.set_config($1, $2, true)', parameters: [name, value] });
  }

  /** Runs a statement whose error does not end the transaction. */
  async #attempt({ text, parameters }: Statement): Promise<QueryReply> {
    const saved = await this.#run('SAVEPOINT step');
    if (!saved.ok) return saved;
    const reply = await this.#run(text, parameters);
    const ended = await this.#run(reply.ok ? 'RELEASE SAVEPOINT step' : 'ROLLBACK TO SAVEPOINT step');
    return reply.ok && !ended.ok ? ended : reply;
  }
}

function failed(error: ApiError): { readonly kind: 'failed'; readonly reason: string } {
  return { kind: 'failed', reason: describe(error) };
}

function describe(error: ApiError): string {
  return error.kind === 'database' ? error.report.message : `The database does not respond (${error.kind})`;
}

// The statements that find out why a role sees a row or not. Values of the key are parameters. Policy expressions come
// from the catalog. A policy is stored parsed: its names were resolved when it was created, and only the privileges of
// functions and tables that it uses are checked for the role. So each expression is prepared as the inspecting role, which
// resolves its names, and executed as the role.

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

/**
 * Returns the USING expressions of policies by name, with all names qualified. The search path must be empty.
 */
function renderExpressions(relation: QualifiedName): Statement {
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
const ROW_SETTING = 'rowhouse.access_row';

/**
 * Prepares the evaluation of an expression for the row.
 *
 * @param name a plain identifier
 * @param expression from the catalog; it may refer to the row by the name of the relation
 */
function renderPreparation(name: string, expression: string, relation: QualifiedName): string {
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

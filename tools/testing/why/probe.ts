// The session of an explanation: a savepoint in which a superuser reads every row, and takes the role of the request where
// that matters.
import {
  type AccessDocument,
  type AccessPolicy,
  type AccessRelation,
  type AccessRights,
  type AccessRole,
  freedomOf,
  type PolicyCommand,
} from '../../../src/contract/access-document.ts';
import { type QualifiedName, quoteIdentifier } from '../../../src/contract/identifiers.ts';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { Statement } from '../../../src/contract/transaction.ts';
import type { QueryReply, TransactionQuery } from '../../../src/postgres/session/query.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';
import {
  type Clause,
  type PolicyVerdicts,
  listPolicies,
  PolicyEvaluator,
  readStoredPolicies,
} from '../../access/evaluate-policies.ts';
import { readAccess } from '../../access/read-access.ts';
import type { PowerfulRuns } from '../session/held-transaction.ts';
import { attempt, describeReason, setLocally } from '../../access/row-expressions.ts';
import { limitPolicies } from './limit-policies.ts';
import { findContext } from './repeat.ts';

/** A relation as a role meets it. */
export interface Facts {
  readonly name: QualifiedName;
  readonly relation: AccessRelation;
  readonly role: AccessRole;
  readonly rights: AccessRights;
}

/** What decides on rows: the policies for a command, as a condition on rows that exist or on new ones. */
export interface Question {
  readonly command: PolicyCommand;
  readonly clause: Clause;
}

const BEGIN = 'SAVEPOINT rowhouse_power';
const UNDO = ['ROLLBACK TO SAVEPOINT rowhouse_power', 'RELEASE SAVEPOINT rowhouse_power'];
/** PostgreSQL keeps the plans of functions by role, and does not notice that policies restrict it no more, or again. */
const FORGET_PLANS = 'DISCARD PLANS';
const TIMEOUT = '5s';

export class Probe {
  readonly #run: TransactionQuery;
  readonly #runScript: PowerfulRuns['runScript'];
  readonly #searchPath: string;

  /** @param searchPath of the request, as SQL */
  constructor({ run, runScript }: PowerfulRuns, searchPath: string) {
    this.#run = run;
    this.#runScript = runScript;
    this.#searchPath = searchPath;
  }

  /** Applies the settings of the request. */
  async begin(settings: Statement, preRequest: Statement | undefined): Promise<QueryReply> {
    await this.#limitTime();
    const taken = await attempt(this.#run, settings);
    const begun = taken.ok && preRequest !== undefined ? await attempt(this.#run, preRequest) : taken;
    await this.#become(undefined);
    return begun;
  }

  /** Runs a statement as the owner. */
  read(statement: Statement): Promise<QueryReply> {
    return attempt(this.#run, statement);
  }

  /** Runs a statement as the role. */
  async readAs(role: string, statement: Statement): Promise<QueryReply> {
    await this.#become(role);
    const reply = await attempt(this.#run, statement);
    await this.#become(undefined);
    return reply;
  }

  /** @returns undefined if there is no such relation or role */
  async readFacts(name: QualifiedName, role: string): Promise<Facts | undefined> {
    const scope = { schema: name.schema, relation: name.name };
    const read = await readAccess(scope, { dbAnonRole: role, dbExtraSearchPath: [] }, this.#run);
    await this.#restorePath();
    if (!read.ok) return undefined;
    const document: AccessDocument = JSON.parse(read.value);
    const [relation] = document.relations;
    const index = document.roles.findIndex((one) => one.name === role);
    const [found, rights] = [document.roles[index], relation?.rights[index]];
    if (relation === undefined || found === undefined || rights === undefined) return undefined;
    return { name, relation, role: found, rights };
  }

  /**
   * Evaluates the policies for rows, as the role.
   *
   * @param rows literals
   * @returns undefined if no policy restricts the role
   */
  async decide(
    facts: Facts,
    { command, clause }: Question,
    rows: readonly string[],
  ): Promise<readonly PolicyVerdicts[] | undefined> {
    if (freedomOf(facts.relation, facts.role, facts.rights) !== 'none') return undefined;
    const policies = listPolicies(facts.relation, facts.role, { rights: facts.rights, command });
    return this.#evaluate(facts, policies, { clause, rows });
  }

  async #evaluate(
    { name, role }: Facts,
    policies: readonly AccessPolicy[],
    { clause, rows }: { readonly clause: Clause; readonly rows: readonly string[] },
  ): Promise<readonly PolicyVerdicts[]> {
    await setLocally(this.#run, 'search_path', '');
    const limited = limitPolicies(policies, await readStoredPolicies(name, this.#run), clause);
    const evaluator = new PolicyEvaluator(name, limited.stored, this.#run);
    await this.#restorePath();
    await evaluator.keepRows(rows);
    const prepared: Awaited<ReturnType<PolicyEvaluator['prepare']>>[] = [];
    for (const policy of limited.policies) prepared.push(await evaluator.prepare(policy, clause));
    await this.#become(role.name);
    const decided: PolicyVerdicts[] = [];
    for (const each of prepared) decided.push(await evaluator.decide(each, rows.length));
    await this.#become(undefined);
    await evaluator.drop();
    return decided;
  }

  /**
   * Runs statements as a role that nothing restricts meanwhile, so that defaults and triggers see its name, and undoes what
   * they do.
   *
   * @param owners of the views between the role and its tables
   */
  async runFreely<T>(
    role: string,
    owners: readonly string[],
    work: (run: (statement: Statement) => Promise<QueryReply>) => Promise<Result<T, string>>,
  ): Promise<Result<T, string>> {
    const run = (statement: Statement): Promise<QueryReply> => attempt(this.#run, statement);
    await this.#run(BEGIN);
    try {
      for (const name of [...new Set([role, ...owners])].toSorted()) {
        // In a savepoint of its own, it would make other sessions wait for the end of the transaction, not of the savepoint.
        const freed = await this.#run(`ALTER ROLE ${quoteIdentifier(name)} SUPERUSER`);
        if (!freed.ok) return fail(describeReason(freed.error));
      }
      await this.#run(FORGET_PLANS);
      await this.#become(role);
      return await work(run);
    } finally {
      for (const text of [...UNDO, FORGET_PLANS]) await this.#run(text);
    }
  }

  /** Runs a request whose role nothing restricts, looks at what it has done, and undoes it. */
  runRequestFreely<T>(
    script: TransactionScript,
    work: (run: (statement: Statement) => Promise<QueryReply>) => Promise<Result<T, string>>,
  ): Promise<Result<T, string>> {
    return this.runFreely(script.role, [], async (run) => {
      const reply = await this.#runScript(script);
      // The end of the script has reset the settings.
      await this.#limitTime();
      return reply.ok ? work(run) : fail(describeReason(reply.error));
    });
  }

  /** Repeats a statement that failed, as the role: see `findContext`. */
  async findContext(role: string, statement: Statement, code: string): Promise<readonly string[]> {
    await this.#run(BEGIN);
    try {
      await this.#become(role);
      return await findContext(statement, code, this.#run);
    } finally {
      for (const text of UNDO) await this.#run(text);
    }
  }

  #limitTime(): Promise<QueryReply> {
    return setLocally(this.#run, 'statement_timeout', TIMEOUT);
  }

  #become(role: string | undefined): Promise<QueryReply> {
    return setLocally(this.#run, 'role', role ?? 'none');
  }

  #restorePath(): Promise<QueryReply> {
    return setLocally(this.#run, 'search_path', this.#searchPath);
  }
}

export function readRows(reply: QueryReply): Result<readonly (readonly (string | null)[])[], string> {
  return reply.ok ? ok(reply.value) : fail(describeReason(reply.error));
}

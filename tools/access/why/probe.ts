// The session of an explanation: a savepoint in which a superuser reads every row, and takes the role of the request where
// that matters.
import {
  type AccessDocument,
  type AccessRelation,
  type AccessRights,
  type AccessRole,
  freedomOf,
  type PolicyCommand,
} from '../../../src/contract/access-document.ts';
import { type QualifiedName, quoteIdentifier } from '../../../src/contract/identifiers.ts';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { Statement } from '../../../src/contract/transaction.ts';
import type { ScriptReply } from '../../../src/postgres/session/script-reply.ts';
import type { QueryReply, TransactionQuery } from '../../../src/postgres/session/query.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';
import { type Clause, listPolicies, type PolicyVerdicts, preparePolicies } from '../policies/evaluate-policies.ts';
import { readAccess } from '../policies/read-access.ts';
import { attempt, describeReason, limitTime, RowExpressions, setLocally } from '../policies/row-expressions.ts';

/** Runs statements, and the scripts of requests as savepoints, as a superuser. */
export interface PowerfulRuns {
  readonly run: TransactionQuery;
  readonly runScript: (script: TransactionScript) => Promise<ScriptReply>;
}

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

export interface FoundRow {
  /** As a value of the type of the relation. */
  readonly literal: string;
  /** The texts of its key. */
  readonly key: readonly string[];
}

/** What was read, or why that failed. */
export type Found<T> = Result<T, string>;

const BEGIN = 'SAVEPOINT rowhouse_power';
const UNDO = ['ROLLBACK TO SAVEPOINT rowhouse_power', 'RELEASE SAVEPOINT rowhouse_power'];
/** PostgreSQL keeps the plans of functions by role, and does not notice that policies restrict it no more, or again. */
const FORGET_PLANS = 'DISCARD PLANS';
/** Policies that are evaluated one by one. */
const MAX_POLICIES = 20;

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
    await limitTime(this.#run);
    const taken = await attempt(this.#run, settings);
    const begun = taken.ok && preRequest !== undefined ? await attempt(this.#run, preRequest) : taken;
    await this.#become(undefined);
    return begun;
  }

  /** Runs a statement, as the owner or as the role that work has taken. */
  async read(statement: Statement): Promise<Found<readonly (readonly (string | null)[])[]>> {
    const reply = await attempt(this.#run, statement);
    return reply.ok ? reply : fail(describeReason(reply.error));
  }

  /** Returns the rows that a statement lists as their literals and keys. */
  async find(statement: Statement): Promise<Found<readonly FoundRow[]>> {
    const rows = await this.read(statement);
    if (!rows.ok) return rows;
    return ok(
      rows.value.map(([literal, ...key]) => ({ literal: literal ?? '', key: key.map((one) => one ?? 'null') })),
    );
  }

  /** Returns the first column of a query of the catalogs; nothing if it fails. */
  async list(text: string, parameters: Statement['parameters']): Promise<readonly string[]> {
    const rows = await this.read({ text, parameters });
    return rows.ok ? rows.value.map(([first]) => first ?? '') : [];
  }

  set(name: string, value: string): Promise<QueryReply> {
    return setLocally(this.#run, name, value);
  }

  /** @returns undefined if there is no such relation or role */
  async readFacts(name: QualifiedName, role: string): Promise<Facts | undefined> {
    const scope = { schema: name.schema, relation: name.name };
    const read = await readAccess(scope, { dbAnonRole: role, dbExtraSearchPath: [] }, this.#run);
    await this.set('search_path', this.#searchPath);
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
    { name, relation, role, rights }: Facts,
    { command, clause }: Question,
    rows: readonly string[],
  ): Promise<readonly PolicyVerdicts[] | undefined> {
    if (freedomOf(relation, role, rights) !== 'none') return undefined;
    const asked = listPolicies(relation, role, { rights, command }).map((policy) => ({ policy, clause }));
    const expressions = new RowExpressions(name, this.#searchPath, this.#run);
    await expressions.keepRows(rows);
    const prepared = await preparePolicies(asked, expressions, MAX_POLICIES);
    await this.#become(role.name);
    const decided: PolicyVerdicts[] = [];
    for (const evaluate of prepared) decided.push(await evaluate());
    await this.#become(undefined);
    await expressions.drop();
    return decided;
  }

  /** Does work as a role, and undoes it. */
  async tryAs<T>(role: string | undefined, work: () => Promise<T>): Promise<T> {
    await this.#run(BEGIN);
    try {
      await this.#become(role);
      return await work();
    } finally {
      for (const text of UNDO) await this.#run(text);
    }
  }

  /**
   * Does work as a role that nothing restricts meanwhile, so that defaults and triggers see its name, and undoes it.
   *
   * @param owners of the views between the role and its tables
   */
  async runFreely<T>(role: string, owners: readonly string[], work: () => Promise<Found<T>>): Promise<Found<T>> {
    try {
      return await this.tryAs(undefined, async () => {
        for (const name of [...new Set([role, ...owners])].toSorted()) {
          // In a savepoint of its own, it would make other sessions wait for the end of the transaction, not of the savepoint.
          const freed = await this.#run(`ALTER ROLE ${quoteIdentifier(name)} SUPERUSER`);
          if (!freed.ok) return fail(describeReason(freed.error));
        }
        await this.#run(FORGET_PLANS);
        await this.#become(role);
        return work();
      });
    } finally {
      await this.#run(FORGET_PLANS);
    }
  }

  /** Runs a request within such work. Its end resets the settings. */
  async runRequest(script: TransactionScript): Promise<Found<undefined>> {
    const reply = await this.#runScript(script);
    await limitTime(this.#run);
    return reply.ok ? ok(undefined) : fail(describeReason(reply.error));
  }

  #become(role: string | undefined): Promise<QueryReply> {
    return this.set('role', role ?? 'none');
  }
}

// The statements that answer one question about a row, in the order of the methods. They share one read-only transaction;
// an error concerns only its own step.
import type { AccessPolicy, PolicyResult, RowLookup, RowOutcome } from '../../src/contract/access-document.ts';
import { type QualifiedName, quoteIdentifier } from '../../src/contract/identifiers.ts';
import { ok, type Result } from '../../src/contract/result.ts';
import type { Statement } from '../../src/contract/transaction.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import type { QueryReply, TransactionQuery } from '../../src/postgres/session/query.ts';
import {
  renderExpressions,
  renderPreparation,
  renderRowLookup,
  renderVisibility,
  ROW_SETTING,
  type RowKey,
} from './row-statements.ts';

/** A policy may call slow functions, and a key may have no index. */
const TIMEOUT = '5s';

/** A prepared statement, or why there is none. */
type PreparedPolicy = Result<string, ApiError>;

export class RowSteps {
  readonly #relation: QualifiedName;
  readonly #run: TransactionQuery;
  #hasRole = false;

  constructor(relation: QualifiedName, run: TransactionQuery) {
    this.#relation = relation;
    this.#run = run;
  }

  /** Keeps the row in a setting of the transaction, where the prepared policies find it. */
  async findRow(key: RowKey): Promise<RowLookup> {
    const limit = await this.#set('statement_timeout', TIMEOUT);
    const reply = limit.ok ? await this.#attempt(renderRowLookup(this.#relation, key)) : limit;
    if (!reply.ok) return { kind: 'unreadable', reason: describe(reply.error) };
    const [row, other] = reply.value;
    if (row === undefined) return { kind: 'missing' };
    if (other !== undefined) return { kind: 'several' };
    const kept = await this.#set(ROW_SETTING, row[0] ?? '');
    return kept.ok ? { kind: 'found' } : { kind: 'unreadable', reason: describe(kept.error) };
  }

  /**
   * Prepares the policies as the login role.
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

  async look(key: RowKey): Promise<RowOutcome> {
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

export function failed(error: ApiError): { readonly kind: 'failed'; readonly reason: string } {
  return { kind: 'failed', reason: describe(error) };
}

function describe(error: ApiError): string {
  return error.kind === 'database' ? error.report.message : `The database does not respond (${error.kind})`;
}

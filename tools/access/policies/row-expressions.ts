// Evaluates expressions of the catalog for given rows, as a role. A policy is stored parsed: its names were resolved when
// it was created, and only the privileges of functions and tables that it uses are checked for the role. So each expression
// is prepared as the inspecting role, which resolves its names, and executed as the role.
import { type QualifiedName, quoteIdentifier } from '../../../src/contract/identifiers.ts';
import { ok, type Result } from '../../../src/contract/result.ts';
import type { Statement } from '../../../src/contract/transaction.ts';
import type { ApiError } from '../../../src/errors/api-error.ts';
import type { QueryReply, TransactionQuery } from '../../../src/postgres/session/query.ts';
import { renderArrayLiteral } from '../../../src/sql/text/array-literal.ts';
import { quoteQualified } from '../../../src/sql/text/identifier.ts';

/** Returns the value for each of the rows that are kept, as text. Call it as the role. */
export type RowExpression = () => Promise<Result<readonly (string | null)[], ApiError>>;

/** Setting that contains the rows meanwhile, because EXECUTE takes no parameters of the protocol. */
const ROWS_SETTING = 'rowhouse.access_rows';

export class RowExpressions {
  readonly relation: QualifiedName;
  readonly run: TransactionQuery;
  readonly #path: string;
  readonly #names: string[] = [];
  #count = 0;

  /** @param path the search path of the request, as SQL; under another one, PostgreSQL would resolve the names again */
  constructor(relation: QualifiedName, path: string, run: TransactionQuery) {
    this.relation = relation;
    this.run = run;
    this.#path = path;
  }

  /** The number of rows. */
  get count(): number {
    return this.#count;
  }

  /** @param rows literals of the composite type of the relation */
  keepRows(rows: readonly string[]): Promise<QueryReply> {
    this.#count = rows.length;
    return setLocally(this.run, ROWS_SETTING, renderArrayLiteral(rows));
  }

  /** Queries the catalog for the relation, whose schema is $1 and name $2. All names in expressions come qualified. */
  async readCatalog(text: string): Promise<readonly (readonly (string | null)[])[]> {
    await setLocally(this.run, 'search_path', '');
    const reply = await attempt(this.run, { text, parameters: [this.relation.schema, this.relation.name] });
    await setLocally(this.run, 'search_path', this.#path);
    return reply.ok ? reply.value : [];
  }

  /** @param expression from the catalog; it may refer to the row by the name of the relation */
  async prepare(expression: string): Promise<RowExpression> {
    const name = `rowhouse_expression_${this.#names.length}`;
    const rows = `pg_catalog.current_setting('${ROWS_SETTING}')::${quoteQualified(this.relation)}[]`;
    const from = `pg_catalog.unnest(${rows}) AS ${quoteIdentifier(this.relation.name)}`;
    const text = `PREPARE ${name} AS SELECT (${expression})::text FROM ${from}`;
    const made = await attempt(this.run, { text, parameters: [] });
    if (!made.ok) return () => Promise.resolve(made);
    this.#names.push(name);
    return async () => {
      const reply = await attempt(this.run, { text: `EXECUTE ${name}`, parameters: [] });
      return reply.ok ? ok(reply.value.map(([value]) => value ?? null)) : reply;
    };
  }

  /** Prepared statements outlive the transaction; behind a pooler, the session goes on with another client. */
  async drop(): Promise<void> {
    for (const name of this.#names.splice(0)) await attempt(this.run, { text: `DEALLOCATE ${name}`, parameters: [] });
  }
}

/** Runs a statement whose error does not end the transaction. */
export async function attempt(run: TransactionQuery, { text, parameters }: Statement): Promise<QueryReply> {
  const saved = await run('SAVEPOINT step');
  if (!saved.ok) return saved;
  const reply = await run(text, parameters);
  const ended = await run(reply.ok ? 'RELEASE SAVEPOINT step' : 'ROLLBACK TO SAVEPOINT step');
  return reply.ok && !ended.ok ? ended : reply;
}

/** Sets a setting for the rest of the transaction. */
export function setLocally(run: TransactionQuery, name: string, value: string): Promise<QueryReply> {
  return attempt(run, { text: 'SELECT pg_catalog.set_config($1, $2, true)', parameters: [name, value] });
}

/** A policy may call slow functions, and a key may have no index. */
export function limitTime(run: TransactionQuery): Promise<QueryReply> {
  return setLocally(run, 'statement_timeout', '5s');
}

export function describeReason(error: ApiError): string {
  return error.kind === 'database' ? error.report.message : `The database does not respond (${error.kind})`;
}

// In: statement texts as they are used. Out: the names under which this connection has them prepared. One per
// connection; bounded, so that the server's memory is.
import { createHash } from 'node:crypto';

export class StatementCache {
  readonly #capacity: number;
  /** Search path → text → statement: a plan made under another search path would be thrown away at every use. */
  readonly #scopes: Map<string, Map<string, PreparedStatement>> = new Map();
  #size = 0;
  #useCount = 0;
  #nameCount = 0;
  #closing: string[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Name of the statement, if the server has it. */
  find(scope: string, text: string): string | undefined {
    const statement = this.#scopes.get(scope)?.get(text);
    if (statement === undefined) return undefined;
    this.#useCount += 1;
    statement.lastUse = this.#useCount;
    return statement.name;
  }

  /**
   * Never given twice, so that a stale statement is never taken for a fresh one. Names the text as well: a pooler may lead
   * to a server connection on which another client has prepared its statements, and none of them must pass for this one.
   */
  nextName(scope: string, text: string): string {
    this.#nameCount += 1;
    return `s${this.#nameCount}_${createHash('sha256').update(scope).update('\0').update(text).digest('base64url')}`;
  }

  /** To be called when the server has confirmed the Parse of `name`. */
  add(scope: string, text: string, name: string): void {
    const statements = this.#scopes.get(scope) ?? new Map<string, PreparedStatement>();
    this.#scopes.set(scope, statements);
    const former = statements.get(text);
    if (former === undefined) this.#size += 1;
    else this.#closing.push(former.name);
    this.#useCount += 1;
    statements.set(text, { name, lastUse: this.#useCount });
    if (this.#size > this.#capacity) this.#evict();
  }

  /** Names the server is to forget with the next write; asked for once. */
  takeClosing(): readonly string[] {
    if (this.#closing.length === 0) return NONE;
    const closing = this.#closing;
    this.#closing = [];
    return closing;
  }

  /** Everything is prepared anew, under new names. */
  clear(): void {
    for (const statements of this.#scopes.values()) {
      for (const statement of statements.values()) this.#closing.push(statement.name);
    }
    this.#scopes.clear();
    this.#size = 0;
  }

  /** A scan, because it comes only with a Parse, which costs far more. */
  #evict(): void {
    let oldest: { scope: string; text: string; statement: PreparedStatement } | undefined;
    for (const [scope, statements] of this.#scopes) {
      for (const [text, statement] of statements) {
        if (oldest === undefined || statement.lastUse < oldest.statement.lastUse) oldest = { scope, text, statement };
      }
    }
    if (oldest === undefined) return;
    const statements = this.#scopes.get(oldest.scope);
    statements?.delete(oldest.text);
    if (statements?.size === 0) this.#scopes.delete(oldest.scope);
    this.#closing.push(oldest.statement.name);
    this.#size -= 1;
  }
}

interface PreparedStatement {
  readonly name: string;
  lastUse: number;
}

const NONE: readonly string[] = [];

// Maps statement texts and their scope to the names under which a connection has prepared them. One cache per
// connection; limits on number and length bound the memory on both sides.
import { createHash } from 'node:crypto';

export interface StatementLimits {
  readonly statements: number;
  /** Characters of all texts together; the server uses up to about 100 bytes per character. */
  readonly characters: number;
  /** Characters of one text; a longer one is not worth the many others that it would displace. */
  readonly longest: number;
}

/** Limits the parsed queries and plans in the server's memory to about 20 MB. */
export const STATEMENT_LIMITS: StatementLimits = { statements: 256, characters: 163_840, longest: 16_384 };

/**
 * Statements that may share plans. PostgreSQL checks EXECUTE privileges when it inlines a function, and schema
 * privileges when it resolves a name, and does not check again for a cached plan. So a statement prepared for one role
 * must not serve another. A plan made under another search path would be replanned at every use.
 */
export interface StatementScope {
  readonly role: string;
  readonly searchPath: string;
  readonly statements: Map<string, PreparedStatement>;
}

interface PreparedStatement {
  readonly name: string;
  lastUse: number;
}

/** Digits (132 bits) of the hash in a name, which is sent with every use of its statement. */
const HASH_LENGTH = 22;
/** Digits that make the texts of different scopes distinct. */
const MARK_LENGTH = 12;

const NONE: readonly string[] = [];
const NO_SCOPES: readonly StatementScope[] = [];

export class StatementCache {
  /** For statements that run before the role and search path of a request are set. */
  readonly shared: StatementScope = newScope('', '');
  /** Whether a pre-request function has been seen to change the role. */
  isRoleUncertain = false;
  readonly #limits: StatementLimits;
  readonly #requests = new RecentRequests();
  /** Scopes with statements, by role; one per search path. */
  readonly #scopes: Map<string, StatementScope[]> = new Map();
  #size = 0;
  #characters = 0;
  #useCount = 0;
  #nameCount = 0;
  #generation = 0;
  #closing: string[] = [];

  constructor(limits: StatementLimits) {
    this.#limits = limits;
  }

  /** Changes with every `clear`. */
  get generation(): number {
    return this.#generation;
  }

  scopeOf(role: string, searchPath: string): StatementScope {
    for (const scope of this.#scopes.get(role) ?? NO_SCOPES) if (scope.searchPath === searchPath) return scope;
    return newScope(role, searchPath);
  }

  /** Returns the name of the statement if the server has prepared it. */
  find(scope: StatementScope, text: string): string | undefined {
    const statement = scope.statements.get(text);
    if (statement === undefined) return undefined;
    this.#useCount += 1;
    statement.lastUse = this.#useCount;
    return statement.name;
  }

  /**
   * Returns a new name, never used before, so that a stale statement cannot be mistaken for a fresh one. The name
   * contains a hash of the text: a pooler may switch to a server connection on which another client has prepared
   * statements.
   *
   * @returns undefined if the statement is too long, or if the cache is full and the statement was not requested
   * recently
   */
  nextName(scope: StatementScope, text: string): string | undefined {
    const { longest } = this.#limits;
    if (text.length > longest) return undefined;
    if (!this.#hasRoomFor(text) && !this.#requests.admits([scope.role, scope.searchPath, text])) return undefined;
    this.#nameCount += 1;
    const hash = createHash('sha256').update(scope.role).update('\0').update(scope.searchPath).update('\0');
    return `s${this.#nameCount}_${hash.update(text).digest('base64url').slice(0, HASH_LENGTH)}`;
  }

  /**
   * Returns the text to prepare. Poolers with prepared statement support identify statements by their text and share
   * them between clients, so the text must differ between scopes.
   */
  textFor(scope: StatementScope, text: string, name: string): string {
    return scope === this.shared ? text : `${text} /*${name.slice(-MARK_LENGTH)}*/`;
  }

  /** Call when the Parse of `name` is sent; statements sent after it may use the name. */
  add(scope: StatementScope, text: string, name: string): void {
    const former = scope.statements.get(text);
    if (former !== undefined) this.#remove(scope, text, former);
    if (scope.statements.size === 0) {
      const scopes = this.#scopes.get(scope.role);
      if (scopes === undefined) this.#scopes.set(scope.role, [scope]);
      else scopes.push(scope);
    }
    this.#useCount += 1;
    scope.statements.set(text, { name, lastUse: this.#useCount });
    this.#size += 1;
    this.#characters += text.length;
    while (this.#size > this.#limits.statements || this.#characters > this.#limits.characters) this.#evict();
  }

  /** Call if the Parse of `name` failed or was skipped. */
  withdraw(scope: StatementScope, text: string, name: string): void {
    const statement = scope.statements.get(text);
    if (statement?.name === name) this.#forgetStatement(scope, text);
  }

  /** Returns the names to close with the next write, and clears the list. */
  takeClosing(): readonly string[] {
    if (this.#closing.length === 0) return NONE;
    const closing = this.#closing;
    this.#closing = [];
    return closing;
  }

  /** Forgets all statements, so that they are prepared again under new names. */
  clear(): void {
    this.#generation += 1;
    for (const scope of [...this.#scopes.values()].flat()) {
      for (const [text, statement] of scope.statements) this.#remove(scope, text, statement);
    }
  }

  #hasRoomFor(text: string): boolean {
    return this.#size < this.#limits.statements && this.#characters + text.length <= this.#limits.characters;
  }

  /** Scans all statements; this happens only with a Parse, which costs far more. */
  #evict(): void {
    let oldest: { scope: StatementScope; text: string; statement: PreparedStatement } | undefined;
    for (const scopes of this.#scopes.values()) {
      for (const scope of scopes) {
        for (const [text, statement] of scope.statements) {
          if (oldest === undefined || statement.lastUse < oldest.statement.lastUse) oldest = { scope, text, statement };
        }
      }
    }
    if (oldest !== undefined) this.#remove(oldest.scope, oldest.text, oldest.statement);
  }

  #remove(scope: StatementScope, text: string, { name }: PreparedStatement): void {
    this.#closing.push(name);
    this.#forgetStatement(scope, text);
  }

  #forgetStatement(scope: StatementScope, text: string): void {
    scope.statements.delete(text);
    this.#size -= 1;
    this.#characters -= text.length;
    if (scope.statements.size === 0) {
      const others = (this.#scopes.get(scope.role) ?? []).filter((each) => each !== scope);
      if (others.length === 0) this.#scopes.delete(scope.role);
      else this.#scopes.set(scope.role, others);
    }
  }
}

function newScope(role: string, searchPath: string): StatementScope {
  return { role, searchPath, statements: new Map() };
}

/** A power of two. */
const PLACES = 1024;

/**
 * Decides whether a statement is used often enough to displace another one: it must have been requested recently. Takes
 * 4 kB, regardless of the number and length of statements.
 */
class RecentRequests {
  /** Hash of the last statement requested at each place. */
  readonly #prints: Uint32Array = new Uint32Array(PLACES);

  /** @param parts that identify the statement */
  admits(parts: readonly string[]): boolean {
    const print = hash(parts);
    const isKnown = this.#prints[print % PLACES] === print;
    this.#prints[print % PLACES] = print;
    return isKnown;
  }
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hash(parts: readonly string[]): number {
  let value = 0x811c9dc5;
  for (const part of parts) {
    for (let index = 0; index < part.length; index += 1) {
      value = Math.imul(value ^ part.charCodeAt(index), 0x01000193);
    }
  }
  return value >>> 0;
}

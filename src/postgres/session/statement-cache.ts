// In: statement texts as they are used, and their scope. Out: the names under which this connection has prepared them. One
// cache per connection; bounded in number and length of statements, which bounds the memory of both sides.
import { createHash } from 'node:crypto';
import { Doorkeeper } from './doorkeeper.ts';

export interface StatementLimits {
  readonly statements: number;
  /** Characters of all texts together: the server takes up to about 100 bytes for each of them. */
  readonly characters: number;
  /** Characters of one text; a longer one is not worth the many others that it would displace. */
  readonly longest: number;
}

/** Each statement is a parsed query and mostly a plan in the server's memory: 20 MB at most. */
export const STATEMENT_LIMITS: StatementLimits = { statements: 256, characters: 163_840, longest: 16_384 };

/**
 * Statements that may share plans. Who may call a function is checked when a plan puts in its body or its result, and
 * who may use a schema when a name is looked up, never again after that: what is prepared for one role must not serve
 * another. A plan made under another search path would be thrown away at every use.
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

/** Digits of a hash, 132 bits, by which names differ: each is sent with every use of its statement. */
const HASH_LENGTH = 22;
/** Those by which the texts of different scopes differ. */
const MARK_LENGTH = 12;

const NONE: readonly string[] = [];

export class StatementCache {
  /** For statements that run before role and search path are those of a request. */
  readonly shared: StatementScope = newScope('', '');
  /** Whether functions that run before a request's own statements have been seen to change the role. */
  isRoleUncertain = false;
  readonly #limits: StatementLimits;
  readonly #doorkeeper = new Doorkeeper();
  /** By role, one for each search path; only those that have statements. */
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

  /** Another one after every `clear`. */
  get generation(): number {
    return this.#generation;
  }

  scopeOf(role: string, searchPath: string): StatementScope {
    const scopes = this.#scopes.get(role);
    return scopes?.find((scope) => scope.searchPath === searchPath) ?? newScope(role, searchPath);
  }

  /** Name of the statement, if the server has it. */
  find(scope: StatementScope, text: string): string | undefined {
    const statement = scope.statements.get(text);
    if (statement === undefined) return undefined;
    this.#useCount += 1;
    statement.lastUse = this.#useCount;
    return statement.name;
  }

  /**
   * Never given twice, so that a stale statement is never taken for a fresh one. Names the text as well: a pooler may lead
   * to a server connection on which another client has prepared its statements, and none of them must pass for this one.
   *
   * @returns undefined for a statement that is to stay without a name: it is too long, or there is no room and it has not
   * been asked for lately
   */
  nextName(scope: StatementScope, text: string): string | undefined {
    const { longest } = this.#limits;
    if (text.length > longest) return undefined;
    if (!this.#hasRoomFor(text) && !this.#doorkeeper.admits([scope.role, scope.searchPath, text])) return undefined;
    this.#nameCount += 1;
    const hash = createHash('sha256').update(scope.role).update('\0').update(scope.searchPath).update('\0');
    return `s${this.#nameCount}_${hash.update(text).digest('base64url').slice(0, HASH_LENGTH)}`;
  }

  /**
   * The text to prepare under a name. Poolers that keep statements know them by their text and hand one from client to
   * client: it has to differ where the scope does.
   */
  textFor(scope: StatementScope, text: string, name: string): string {
    return scope === this.shared ? text : `${text} /*${name.slice(-MARK_LENGTH)}*/`;
  }

  /** To be called when the Parse of `name` is sent: what is sent after it may use the name already. */
  add(scope: StatementScope, text: string, name: string): void {
    const former = scope.statements.get(text);
    if (former !== undefined) this.#remove(scope, text, former);
    if (scope.statements.size === 0) this.#keep(scope);
    this.#useCount += 1;
    scope.statements.set(text, { name, lastUse: this.#useCount });
    this.#size += 1;
    this.#characters += text.length;
    while (this.#size > this.#limits.statements || this.#characters > this.#limits.characters) this.#evict();
  }

  /** To be called when the Parse of `name` has failed or was skipped. */
  withdraw(scope: StatementScope, text: string, name: string): void {
    const statement = scope.statements.get(text);
    if (statement?.name === name) this.#forgetStatement(scope, text);
  }

  /** Names the server is to forget with the next write; asked for once. */
  takeClosing(): readonly string[] {
    if (this.#closing.length === 0) return NONE;
    const closing = this.#closing;
    this.#closing = [];
    return closing;
  }

  /** Everything is prepared again, under new names. */
  clear(): void {
    this.#generation += 1;
    for (const scope of [...this.#scopes.values()].flat()) {
      for (const [text, statement] of scope.statements) this.#remove(scope, text, statement);
    }
  }

  #hasRoomFor(text: string): boolean {
    return this.#size < this.#limits.statements && this.#characters + text.length <= this.#limits.characters;
  }

  /** A scan, because it comes only with a Parse, which costs far more. */
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
    if (scope.statements.size === 0) this.#forget(scope);
  }

  #keep(scope: StatementScope): void {
    const scopes = this.#scopes.get(scope.role);
    if (scopes === undefined) this.#scopes.set(scope.role, [scope]);
    else scopes.push(scope);
  }

  #forget(scope: StatementScope): void {
    const others = (this.#scopes.get(scope.role) ?? []).filter((each) => each !== scope);
    if (others.length === 0) this.#scopes.delete(scope.role);
    else this.#scopes.set(scope.role, others);
  }
}

function newScope(role: string, searchPath: string): StatementScope {
  return { role, searchPath, statements: new Map() };
}

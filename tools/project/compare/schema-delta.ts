// The one place that uses `@supabase/pg-delta`, which may be missing (`project.md` §8): reads the schema of a database, and
// plans the statements that turn one schema into another.
import { COMPARISON_PACKAGE } from '../../support/comparison-package.ts';
import type {
  FactBase,
  buildFactBase,
  deserializeSnapshot,
  encodeId,
  serializeSnapshot,
} from '@supabase/pg-delta/core';
import type { extract } from '@supabase/pg-delta/extract';
import type { Plan, plan } from '@supabase/pg-delta/plan';
import { Pool, type Client, type PoolClient } from 'pg';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { messageOf } from '../../support/thrown.ts';
import { CITUS, isLeftOut, type ObjectId, quoteName } from './object-id.ts';

export type { Plan } from '@supabase/pg-delta/plan';
export type { FactBase } from '@supabase/pg-delta/core';

export type Step = Plan['actions'][number];
type Fact = ReturnType<FactBase['facts']>[number];

/** The schema of a database at one moment, without what Rowhouse itself keeps in it. */
export interface SchemaState {
  readonly facts: FactBase;
  /** Major version of PostgreSQL. */
  readonly version: number;
  /** Kinds of objects that are in the database but cannot be compared: `cast`. */
  readonly unknownKinds: readonly string[];
  /** Names of options that may be secret and are not part of the state, by the key of their object. */
  readonly omitted: ReadonlyMap<string, readonly string[]>;
}

export interface ReadOptions {
  /** Whether the client is in a transaction that must stay open. */
  readonly isInTransaction: boolean;
  /** Whether passwords of user mappings and subscriptions are part of the state, which must not be shown or kept then. */
  readonly hasSecrets: boolean;
}

const MAINTAIN_VERSION = 17;

const { name: PACKAGE, version: VERSION } = COMPARISON_PACKAGE;

interface Engine {
  readonly extract: typeof extract;
  readonly plan: typeof plan;
  readonly buildFactBase: typeof buildFactBase;
  readonly encodeId: typeof encodeId;
  readonly serializeSnapshot: typeof serializeSnapshot;
  readonly deserializeSnapshot: typeof deserializeSnapshot;
}

export class SchemaDelta {
  readonly #engine: Engine;

  private constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The error says how to install what is missing. */
  static async load(): Promise<Result<SchemaDelta, string>> {
    try {
      const [{ extract }, { plan }, core] = await Promise.all([
        import('@supabase/pg-delta/extract'),
        import('@supabase/pg-delta/plan'),
        import('@supabase/pg-delta/core'),
      ]);
      return ok(new SchemaDelta({ extract, plan, ...core }));
    } catch (error) {
      const reason = messageOf(error);
      if (!reason.includes(PACKAGE)) throw error;
      return fail(`Comparing schemas needs a package that is not installed. Run: npm i -D ${PACKAGE}@${VERSION}`);
    }
  }

  async read(client: Client, { isInTransaction, hasSecrets }: ReadOptions): Promise<SchemaState> {
    const pool = new BorrowedConnection(isInTransaction ? nestTransactions(client) : client);
    const { factBase, pgVersion, diagnostics } = await this.#engine.extract(pool, { redactSecrets: !hasSecrets });
    const unknown = diagnostics.filter(({ code }) => code === 'unmodeled_kind');
    const base = this.#hideRoles(factBase);
    const isOfCitus = this.#findMembers(base, CITUS);
    const facts = this.#omit(base, (id, fact) => isLeftOut(id) || isWithoutEffect(fact) || isOfCitus(fact));
    return {
      ...(hasSecrets ? { facts, omitted: new Map() } : this.#omitSecrets(facts)),
      version: Number.parseInt(pgVersion, 10),
      unknownKinds: unknown.map(({ message }) => message),
    };
  }

  /**
   * Plans what turns one state into the other. Roles are not compared: they belong to the whole cluster.
   *
   * @param owner the role that runs the statements, so that none has to make it the owner
   */
  plan(from: SchemaState, to: SchemaState, owner?: string): Plan {
    // A database that mentions no role yet does not list it.
    const options = { scope: 'database', assumedRoles: [from, to].flatMap(listRoles) } as const;
    const known = Math.min(from.version, to.version);
    const [old, current] = [this.#dropNewPrivileges(from, known), this.#dropNewPrivileges(to, known)];
    if (owner === undefined) return correct(this.#engine.plan(old, current, options));
    // What an owner may do is not granted to it.
    const isImplicit = (id: ObjectId): boolean => id.kind === 'acl' && id.grantee === owner;
    const [before, after] = [this.#omit(old, isImplicit), this.#omit(current, isImplicit)];
    return correct(this.#engine.plan(before, after, { ...options, defaultOwner: owner }));
  }

  /** Plans unless the library refuses a change, such as of a type that columns use; the error is its reason. */
  tryPlan(from: SchemaState, to: SchemaState, owner?: string): Result<Plan, string> {
    try {
      return ok(this.plan(from, to, owner));
    } catch (error) {
      return fail(messageOf(error));
    }
  }

  /** Renders a state as JSON: the same text for the same state. */
  serialize({ facts, version }: SchemaState): string {
    return this.#engine.serializeSnapshot(facts, { pgVersion: String(version) });
  }

  /** @throws if the text is not that of `serialize` */
  deserialize(text: string): SchemaState {
    const { factBase, pgVersion } = this.#engine.deserializeSnapshot(text);
    return { facts: factBase, version: Number.parseInt(pgVersion, 10), unknownKinds: [], omitted: new Map() };
  }

  /** Adds the objects of another state for which the predicate is true, if the objects that contain them are there. */
  add(state: SchemaState, other: SchemaState, isAdded: (id: ObjectId) => boolean): SchemaState {
    const { buildFactBase } = this.#engine;
    const facts = state.facts.facts();
    const known = new Set(facts.map(({ id }) => this.encode(id)));
    const added = other.facts.facts().filter(({ id }) => !known.has(this.encode(id)) && isAdded(id));
    const kept = this.#keepContained(added, known);
    if (kept.length === 0) return state;
    const keys = new Set(kept.map(({ id }) => this.encode(id)));
    const edges = other.facts.edges.filter(({ from }) => keys.has(this.encode(from)));
    return {
      ...state,
      facts: buildFactBase([...facts, ...kept], [...state.facts.edges, ...edges], state.facts.source),
    };
  }

  /** The key of an object: equal for equal objects. */
  encode(id: ObjectId): string {
    return this.#engine.encodeId(id);
  }

  /** Drops the facts whose containers are missing, from the outermost to the innermost. */
  #keepContained(facts: readonly Fact[], known: Set<string>): readonly Fact[] {
    const kept: Fact[] = [];
    let waiting = facts;
    for (;;) {
      const ready = waiting.filter(({ parent }) => parent === undefined || known.has(this.encode(parent)));
      if (ready.length === 0) return kept;
      kept.push(...ready);
      for (const { id } of ready) known.add(this.encode(id));
      waiting = waiting.filter((fact) => !ready.includes(fact));
    }
  }

  /** @returns whether a fact is about an object of these extensions */
  #findMembers(base: FactBase, extensions: readonly string[]): (fact: Fact) => boolean {
    const memberships = base.edges.filter(({ kind, to }) => {
      return kind === 'memberOfExtension' && to.kind === 'extension' && extensions.includes(to.name);
    });
    const members = new Set(memberships.map(({ from }) => this.encode(from)));
    const isMember = ({ id, parent }: Fact): boolean => {
      const container = parent === undefined ? undefined : base.get(parent);
      return members.has(this.encode(id)) || (container !== undefined && isMember(container));
    };
    return members.size === 0 ? () => false : isMember;
  }

  /** Keeps only the names of roles: their settings may contain secrets, and are compared elsewhere. */
  #hideRoles(base: FactBase): FactBase {
    const roles = base.facts().filter(({ id }) => id.kind === 'role');
    const facts = [
      ...base.facts().filter(({ id }) => id.kind !== 'role'),
      ...roles.map(({ id }) => ({ id, payload: {} })),
    ];
    return this.#engine.buildFactBase(facts, [...base.edges], base.source);
  }

  /** Removes the options that the library has hidden: what it shows instead must not reach a database. */
  #omitSecrets(base: FactBase): Pick<SchemaState, 'facts' | 'omitted'> {
    const omitted = new Map<string, readonly string[]>();
    const hide = (fact: Fact): Fact => {
      const { options, conninfo } = fact.payload;
      if (conninfo !== undefined) omitted.set(this.encode(fact.id), ['the connection']);
      if (!Array.isArray(options)) return fact;
      const texts = options.filter((option) => typeof option === 'string');
      const hidden = texts.filter((option) => HIDDEN_OPTION.test(option));
      if (hidden.length === 0) return fact;
      const names = hidden.map((option) => option.split('=', 1)[0] ?? '');
      omitted.set(this.encode(fact.id), names);
      const kept = texts.filter((option) => !HIDDEN_OPTION.test(option));
      return { ...fact, payload: { ...fact.payload, options: kept } };
    };
    const facts = base.facts().map(hide);
    if (omitted.size === 0) return { facts: base, omitted };
    return { facts: this.#engine.buildFactBase(facts, [...base.edges], base.source), omitted };
  }

  /** MAINTAIN, which all owners have from version 17 on, is unknown to older ones. */
  #dropNewPrivileges({ facts: base, version }: SchemaState, known: number): FactBase {
    if (version < MAINTAIN_VERSION || known >= MAINTAIN_VERSION) return base;
    const facts = base.facts().map(withoutMaintain);
    return this.#engine.buildFactBase(facts, [...base.edges], base.source);
  }

  #omit(base: FactBase, isOmitted: (id: ObjectId, fact: Fact) => boolean): FactBase {
    const facts = base.facts();
    const kept = facts.filter((fact) => !isOmitted(fact.id, fact));
    if (kept.length === facts.length) return base;
    const keys = new Set(kept.map(({ id }) => this.encode(id)));
    const edges = base.edges.filter(({ from, to }) => keys.has(this.encode(from)) && keys.has(this.encode(to)));
    return this.#engine.buildFactBase(kept, edges, base.source);
  }
}

/** `password=__OPTION_PASSWORD__` */
const HIDDEN_OPTION = /=__OPTION_.*__$/su;

function withoutMaintain(fact: Fact): Fact {
  const { privileges } = fact.payload;
  if (!Array.isArray(privileges)) return fact;
  return { ...fact, payload: { ...fact.payload, privileges: privileges.filter((name) => name !== 'MAINTAIN') } };
}

/**
 * Default privileges of one schema add to those of all schemas, and can revoke nothing. NOT NULL of a domain, which 18 lists
 * as a constraint, is stated by the domain already.
 */
function isWithoutEffect({ id, payload }: Fact): boolean {
  const privileges = payload['privileges'];
  if (id.kind === 'constraint' && payload['def'] === 'NOT NULL') return true;
  return id.kind === 'defaultPrivilege' && id.schema !== null && Array.isArray(privileges) && privileges.length === 0;
}

/** Corrects what the library renders wrongly. */
function correct(plan: Plan): Plan {
  const steps = plan.actions.map((step) => ({
    ...step,
    sql: publishOnly({ ...step, sql: indexPartitions(step.sql) }),
  }));
  // Defaults and checks may use a new value of an enum, on which the library does not make them depend.
  const isAddition = ({ sql }: Step): boolean => /^ALTER TYPE .+ ADD VALUE /u.test(sql);
  const isEarly = findSchemaGrants(steps);
  const rest = steps.filter((step, index) => !isAddition(step) && !isRepeated(step, steps.slice(index + 1)));
  return {
    ...plan,
    actions: [
      ...steps.filter(isAddition),
      ...rest.filter((step) => isEarly(step)),
      ...rest.filter((step) => !isEarly(step)),
    ],
  };
}

/** The default of a column is set with its new type and by itself. */
function isRepeated({ sql }: Step, later: readonly Step[]): boolean {
  return / SET DEFAULT /u.test(sql) && later.some((step) => step.sql === sql);
}

/**
 * Finds the steps that create schemas, change them, and grant their use: a role must be allowed to create in a schema before
 * it becomes the owner of something there. What is only revoked may still be needed.
 */
function findSchemaGrants(steps: readonly Step[]): (step: Step) => boolean {
  const partsOf = ({ sql }: Step): Readonly<Record<string, string>> => SCHEMA_PRIVILEGES.exec(sql)?.groups ?? {};
  const granted = steps.map(partsOf).filter(({ verb }) => verb === 'GRANT');
  return (step) => {
    if (/^(?:CREATE|ALTER) SCHEMA /u.test(step.sql)) return true;
    const { verb, schema, role } = partsOf(step);
    return verb !== undefined && granted.some((other) => other['schema'] === schema && other['role'] === role);
  };
}

const SCHEMA_PRIVILEGES =
  /^(?<verb>GRANT|REVOKE) .+ ON SCHEMA (?<schema>"(?:[^"]|"")+"|\S+) (?:TO|FROM) (?<role>"(?:[^"]|"")+"|\w+)/su;

/** An index of a partitioned table only is invalid until each partition has one. */
function indexPartitions(sql: string): string {
  return sql.replace(/^(CREATE (?:UNIQUE )?INDEX (?:"(?:[^"]|"")+"|\S+) ON) ONLY /u, '$1 ');
}

/** A publication lists the tables that inherit from one of its tables too: without ONLY, each would be named twice. */
function publishOnly({ sql, produces, destroys }: Pick<Step, 'sql' | 'produces' | 'destroys'>): string {
  if (!/^(?:CREATE|ALTER) PUBLICATION /u.test(sql)) return sql;
  let text = sql;
  let end = 0;
  for (const id of [...produces, ...destroys]) {
    if (id.kind !== 'publicationRel') continue;
    const table = ` ${quoteName(id.schema, id.table)}`;
    const start = text.indexOf(table, end);
    if (start === -1) continue;
    text = `${text.slice(0, start)} ONLY${text.slice(start)}`;
    end = start + table.length;
  }
  return text;
}

/** Returns the names of the roles that a state knows. */
export function listRoles({ facts }: SchemaState): string[] {
  return facts.facts().flatMap(({ id }) => (id.kind === 'role' ? [id.name] : []));
}

/** The engine takes its connection from a pool, and uses one at a time. */
class BorrowedConnection extends Pool {
  readonly #client: PoolClient;

  constructor(client: Client) {
    super();
    this.#client = Object.assign(client, { release: () => undefined });
  }

  override connect(): Promise<PoolClient> {
    return Promise.resolve(this.#client);
  }
}

/** Turns the transaction that the engine begins into a savepoint of the open one. */
function nestTransactions(client: Client): Client {
  const end = 'rollback to savepoint reading; release savepoint reading';
  const replace = (text: unknown): unknown => {
    if (typeof text !== 'string') return text;
    if (/^begin\b/iu.test(text)) return 'savepoint reading';
    return /^(?:commit|rollback)\b/iu.test(text) ? end : text;
  };
  return new Proxy(client, {
    get(target, key): unknown {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      if (key !== 'query') return value.bind(target);
      return (text: unknown, ...rest: unknown[]): unknown => Reflect.apply(value, target, [replace(text), ...rest]);
    },
  });
}

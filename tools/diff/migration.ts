// Turns a plan into the files of a migration (`project.md` §3 item 4): marks what loses data and what locks a table, builds
// indexes concurrently, and validates constraints in a transaction of their own.
import { escapeIdentifier } from 'pg';
import { compareTypes } from '../api-diff/compare-types.ts';
import { cutSteps } from '../project/compare/apply-plan.ts';
import { describeObject, type ObjectId, type TableId } from '../project/compare/object-id.ts';
import type { Plan, SchemaState, Step } from '../project/compare/schema-delta.ts';

export interface MigrationFile {
  /** Whether its only statement cannot run in a transaction. */
  readonly isBare: boolean;
  readonly statements: readonly MarkedStatement[];
}

export interface MarkedStatement {
  readonly sql: string;
  /** Objects whose rows or values it loses. */
  readonly losses: readonly string[];
  /** `ACCESS EXCLUSIVE on api.orders, against reads and writes` */
  readonly lock: string | undefined;
}

export interface MigrationOptions {
  readonly plan: Pick<Plan, 'actions' | 'deltas'>;
  /** The state that the migration begins with. */
  readonly from: SchemaState;
  /** The key of an object. */
  readonly encode: (id: ObjectId) => string;
  /** The role that runs it, which may have another name in another database. */
  readonly owner: string;
}

/** Returns the files, in the order in which they are applied. */
export function createMigration(options: MigrationOptions): readonly MigrationFile[] {
  const { plan } = options;
  const writer = new MigrationWriter(options);
  const later: MigrationFile[] = [];
  const validations: MarkedStatement[] = [];
  const files: MigrationFile[] = [];
  for (const steps of cutSteps(plan.actions)) {
    let statements: MarkedStatement[] = [];
    const end = (): void => {
      if (statements.length > 0) files.push({ isBare: false, statements });
      statements = [];
    };
    for (const step of steps) {
      const concurrent = writer.buildConcurrently(step);
      if (concurrent !== undefined) {
        const file = { isBare: true, statements: [concurrent] };
        if (writer.isUsedLater(step)) {
          end();
          files.push(file);
        } else later.push(file);
        continue;
      }
      const unchecked = writer.addUnchecked(step);
      statements.push(unchecked?.add ?? writer.mark(step));
      if (unchecked !== undefined) validations.push(unchecked.validate);
    }
    if (steps.every(({ transactionality }) => transactionality === 'nonTransactional'))
      files.push(...statements.splice(0).map((statement) => ({ isBare: true, statements: [statement] })));
    end();
  }
  return [...files, ...(validations.length === 0 ? [] : [{ isBare: false, statements: validations }]), ...later];
}

class MigrationWriter {
  readonly #plan: MigrationOptions['plan'];
  readonly #from: SchemaState;
  readonly #encode: MigrationOptions['encode'];
  readonly #ownRole: string;
  readonly #narrowed: ReadonlySet<string>;

  constructor({ plan, from, encode, owner }: MigrationOptions) {
    this.#plan = plan;
    this.#ownRole = ` FOR ROLE ${escapeIdentifier(owner)}`;
    this.#from = from;
    this.#encode = encode;
    this.#narrowed = new Set(
      plan.deltas.flatMap((delta) =>
        delta.verb === 'set' && delta.id.kind === 'column' && delta.attr === 'type' && isNarrower(delta.from, delta.to)
          ? [encode(delta.id)]
          : [],
      ),
    );
  }

  mark(step: Step): MarkedStatement {
    const sql = tidy(step.sql);
    const isOfRole = sql.startsWith('ALTER DEFAULT PRIVILEGES');
    return {
      sql: isOfRole ? sql.replace(this.#ownRole, '') : sql,
      losses: this.#findLosses(step),
      lock: this.#describeLock(step),
    };
  }

  /** @returns the statement for an index of a table that exists already */
  buildConcurrently(step: Step): MarkedStatement | undefined {
    const index = step.produces.find(({ kind }) => kind === 'index');
    const tables = this.#existingTables(step);
    if (step.verb !== 'create' || index === undefined || tables.length === 0) return undefined;
    // PostgreSQL builds no index of a partitioned table concurrently.
    if (tables.some((table) => this.#isPartitioned(table))) return undefined;
    const sql = tidy(step.sql).replace(
      /^create\s+(?<unique>unique\s+)?index\s+/iu,
      'CREATE $<unique>INDEX CONCURRENTLY ',
    );
    return { sql, losses: [], lock: undefined };
  }

  isUsedLater(step: Step): boolean {
    const made = new Set(step.produces.map(this.#encode));
    const following = this.#plan.actions.slice(this.#plan.actions.indexOf(step) + 1);
    return following.some(({ consumes }) => consumes.some((id) => made.has(this.#encode(id))));
  }

  /** @returns the statements for a check or foreign key of a table that exists already */
  addUnchecked(step: Step): { readonly add: MarkedStatement; readonly validate: MarkedStatement } | undefined {
    const [constraint] = step.produces;
    const [table] = this.#existingTables(step);
    const isChecked = /^alter table .* add constraint .* (?:check|foreign key) /isu.test(step.sql);
    if (constraint?.kind !== 'constraint' || table === undefined || !isChecked) return undefined;
    const sql = tidy(step.sql);
    const isUnchecked = / (?:not valid|not enforced|no inherit)$/iu.test(sql);
    if (isUnchecked || (/ foreign key /iu.test(sql) && this.#isPartitioned(table))) return undefined;
    const head =
      /^alter table (?:only )?(?<table>\S+|"(?:[^"]|"")+"\."(?:[^"]|"")+") add constraint (?<name>"(?:[^"]|"")+"|\S+)/iu;
    const { table: relation, name } = head.exec(sql)?.groups ?? {};
    if (relation === undefined || name === undefined) return undefined;
    return {
      add: { ...this.mark(step), sql: `${sql} NOT VALID` },
      validate: { sql: `ALTER TABLE ${relation} VALIDATE CONSTRAINT ${name}`, losses: [], lock: undefined },
    };
  }

  #findLosses({ dataLoss, destroys, consumes, sql }: Step): readonly string[] {
    const destroyed = dataLoss === 'destructive' ? destroys.filter(({ kind }) => CONTAINERS.has(kind)) : [];
    const isOfTable = destroyed.some(({ kind }) => kind === 'table');
    const shown = isOfTable ? destroyed.filter(({ kind }) => kind !== 'column') : destroyed;
    const isTypeChange = /\balter column\b.*\btype\b/isu.test(sql);
    const narrowed = isTypeChange ? consumes.filter((id) => this.#narrowed.has(this.#encode(id))) : [];
    return [...shown.map(describe), ...narrowed.map((id) => `values of ${describe(id)} that do not fit the new type`)];
  }

  #describeLock(step: Step): string | undefined {
    const lock = LOCKS[step.lockClass];
    const tables = lock === undefined ? [] : this.#existingTables(step);
    if (lock === undefined || tables.length === 0) return undefined;
    return `${lock[0]} on ${tables.map(({ schema, name }) => `${schema}.${name}`).join(', ')}, against ${lock[1]}`;
  }

  #existingTables({ produces, consumes, destroys }: Step): readonly TableId[] {
    const found = new Map<string, TableId>();
    for (const id of [...produces, ...consumes, ...destroys]) {
      const table = tableOf(id);
      if (table !== undefined && this.#from.facts.has(table)) found.set(this.#encode(table), table);
    }
    return [...found.values()];
  }

  #isPartitioned(table: TableId): boolean {
    const key = this.#from.facts.get(table)?.payload['partitionKey'];
    return key !== undefined && key !== null;
  }
}

const CONTAINERS: ReadonlySet<string> = new Set(['table', 'column', 'typeAttribute', 'extension']);

const LOCKS: Readonly<Partial<Record<Step['lockClass'], readonly [name: string, effect: string]>>> = {
  share: ['SHARE', 'writes'],
  shareRowExclusive: ['SHARE ROW EXCLUSIVE', 'writes'],
  accessExclusive: ['ACCESS EXCLUSIVE', 'reads and writes'],
};

function describe(id: ObjectId): string {
  return describeObject(id, new Set());
}

function tableOf(id: ObjectId): TableId | undefined {
  if (id.kind === 'table') return { kind: 'table', schema: id.schema, name: id.name };
  const isPart = 'table' in id && 'schema' in id && id.kind !== 'publicationRel';
  return isPart ? { kind: 'table', schema: id.schema, name: id.table } : undefined;
}

const NO_TYPES = { types: new Map(), cache: { representations: new Map() } };

/** Whether values of one type may not fit the other. */
export function isNarrower(from: unknown, to: unknown): boolean {
  return compareTypes(String(from), String(to), { old: NO_TYPES, new: NO_TYPES }) === 'changed';
}

function tidy(sql: string): string {
  return sql.trim().replace(/;$/u, '').trimEnd();
}

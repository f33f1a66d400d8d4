// Turns a plan into the files of a migration (`project.md` §3 item 4): marks what loses data and what locks a table, builds
// indexes concurrently, and validates constraints in a transaction of their own.
import { escapeIdentifier } from 'pg';
import { compareTypes } from '../api-diff/compare-types.ts';
import { cutSteps } from '../project/compare/apply-plan.ts';
import {
  type ColumnId,
  describeObject,
  isColumnId,
  type ObjectId,
  quoteName,
  type TableId,
} from '../project/compare/object-id.ts';
import type { Plan, SchemaState, Step } from '../project/compare/schema-delta.ts';
import { findAdvances, type SequenceAdvance } from '../project/dev/keep-in-place.ts';
import { describeMissingValue } from '../project/run/missing-value.ts';
import type { BlockingMode, TableLock } from './lock-meter.ts';

export interface MigrationFile {
  /** Whether its only statement cannot run in a transaction. */
  readonly isBare: boolean;
  readonly statements: readonly MarkedStatement[];
}

export interface MarkedStatement {
  readonly sql: string;
  /** Objects whose rows or values it loses. */
  readonly losses: readonly string[];
  /** On tables that existed before the migration. */
  readonly locks: readonly TableLock[];
  /** What a person must do before it runs, in whole lines. */
  readonly tasks: readonly string[];
  /** Values that may be secret, which it leaves out. */
  readonly omitted: readonly string[];
}

/** A statement that loses nothing and needs nothing. */
export function plainStatement(sql: string, locks: readonly TableLock[] = []): MarkedStatement {
  return { sql, losses: [], locks, tasks: [], omitted: [] };
}

export interface MigrationOptions {
  readonly plan: Pick<Plan, 'actions' | 'deltas'>;
  /** The state that the migration begins with. */
  readonly from: SchemaState;
  /** The key of an object. */
  readonly encode: (id: ObjectId) => string;
  /** The role that runs it, which may have another name in another database. */
  readonly owner: string;
  /** Names of the options of the new state that may be secret, by the key of their object. */
  readonly omitted: ReadonlyMap<string, readonly string[]>;
  /** Returns where the files state a column. */
  readonly findPlace: (column: ColumnId) => string | undefined;
}

/** Returns the files, in the order in which they are applied. */
export function createMigration(options: MigrationOptions): readonly MigrationFile[] {
  const { plan } = options;
  const writer = new MigrationWriter(options);
  const later: MigrationFile[] = [];
  const validations: MarkedStatement[] = [];
  const fills: MarkedStatement[] = [];
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
      const empty = unchecked === undefined ? writer.addEmpty(step) : undefined;
      statements.push(...(unchecked === undefined ? (empty?.now ?? [writer.mark(step)]) : [unchecked.add]));
      if (unchecked !== undefined) validations.push(unchecked.validate);
      if (empty !== undefined) fills.push(empty.fill);
    }
    if (steps.every(({ transactionality }) => transactionality === 'nonTransactional'))
      files.push(...statements.splice(0).map((statement) => ({ isBare: true, statements: [statement] })));
    end();
  }
  const all = appendAdvances(files, plan, ({ schema, table }) =>
    options.from.facts.has({ kind: 'table', schema, name: table }),
  );
  const last = [fills, validations].filter((statements) => statements.length > 0);
  return [...all, ...last.map((statements) => ({ isBare: false, statements })), ...later];
}

/** A sequence of a column that has values already begins behind the largest one, in the transaction that makes it. */
function appendAdvances(
  files: readonly MigrationFile[],
  plan: MigrationOptions['plan'],
  isExisting: (advance: SequenceAdvance) => boolean,
): readonly MigrationFile[] {
  const statements = findAdvances(plan)
    .filter(isExisting)
    .map(({ sql }) => plainStatement(sql));
  const index = files.findLastIndex(
    ({ isBare, statements: own }) => !isBare && own.some(({ sql }) => MAKES_SEQUENCE.test(sql)),
  );
  return files.map((file, at) => (at === index ? { ...file, statements: [...file.statements, ...statements] } : file));
}

const MAKES_SEQUENCE = / ADD GENERATED | OWNED BY /u;

class MigrationWriter {
  readonly #plan: MigrationOptions['plan'];
  readonly #from: SchemaState;
  readonly #encode: MigrationOptions['encode'];
  readonly #ownRole: string;
  readonly #narrowed: ReadonlySet<string>;
  readonly #gainsIdentity: ReadonlySet<string>;
  readonly #omitted: MigrationOptions['omitted'];
  readonly #findPlace: MigrationOptions['findPlace'];

  constructor({ plan, from, encode, owner, omitted, findPlace }: MigrationOptions) {
    this.#plan = plan;
    this.#omitted = omitted;
    this.#findPlace = findPlace;
    const gained = plan.deltas.flatMap((delta) =>
      delta.verb === 'set' && delta.attr === 'identity' && isColumnId(delta.id) ? [encode(delta.id)] : [],
    );
    this.#gainsIdentity = new Set(gained);
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
      locks: this.#findLocks(step),
      tasks: [],
      omitted: this.#findOmitted(step),
    };
  }

  /**
   * Splits what adds NOT NULL to a table that exists already: its rows need a value first.
   *
   * @returns statements to run at once, and the one for a later file
   */
  addEmpty(step: Step): { readonly now: readonly MarkedStatement[]; readonly fill: MarkedStatement } | undefined {
    const marked = this.mark(step);
    const { head, added, rest, existing } = NOT_NULL.exec(marked.sql)?.groups ?? {};
    const column = added ?? existing;
    const id = [...step.produces, ...step.consumes, ...step.destroys].find(isColumnId);
    const isOfExisting = this.#existingTables(step).length > 0;
    if (head === undefined || column === undefined || id === undefined || !isOfExisting) return undefined;
    if (this.#gainsIdentity.has(this.#encode(id)) || (rest !== undefined && HAS_VALUE.test(rest))) return undefined;
    const fill = {
      ...plainStatement(`${head} ALTER COLUMN ${column} SET NOT NULL`, marked.locks),
      tasks: renderTask(id, this.#findPlace(id)),
    };
    if (existing !== undefined) return { now: [], fill };
    const nullable = `${head} ADD COLUMN ${column} ${(rest ?? '').replace(/ NOT NULL$/u, '')}`;
    return { now: [{ ...marked, sql: nullable }], fill };
  }

  /** The plan has no value to write for options that may be secret. */
  #findOmitted({ verb, produces }: Step): readonly string[] {
    if (verb !== 'create') return [];
    return produces.flatMap((id) => {
      const options = this.#omitted.get(this.#encode(id)) ?? [];
      return options.length === 0 ? [] : [`${options.join(', ')} of ${describe(id)}`];
    });
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
    return plainStatement(sql);
  }

  isUsedLater(step: Step): boolean {
    const made = new Set(step.produces.map(this.#encode));
    const names = step.produces.flatMap((id) => (id.kind === 'index' ? [id.name] : []));
    const following = this.#plan.actions.slice(this.#plan.actions.indexOf(step) + 1);
    // Steps that the library has not planned do not say what they need.
    const mentions = ({ consumes, sql }: Step): boolean =>
      consumes.length === 0 && names.some((name) => sql.includes(name));
    return following.some((other) => other.consumes.some((id) => made.has(this.#encode(id))) || mentions(other));
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
      validate: plainStatement(`ALTER TABLE ${relation} VALIDATE CONSTRAINT ${name}`),
    };
  }

  #findLosses({ dataLoss, destroys, consumes, sql }: Step): readonly string[] {
    const destroyed = dataLoss === 'destructive' ? destroys.filter(({ kind }) => CONTAINERS.has(kind)) : [];
    const isOfTable = destroyed.some(({ kind }) => kind === 'table');
    const shown = destroyed.filter((id) => id.kind !== 'column' || !(isOfTable || this.#isGenerated(id)));
    const isTypeChange = /\balter column\b.*\btype\b/isu.test(sql);
    const narrowed = isTypeChange ? consumes.filter((id) => this.#narrowed.has(this.#encode(id))) : [];
    return [...shown.map(describe), ...narrowed.map((id) => `values of ${describe(id)} that do not fit the new type`)];
  }

  /** Values that are generated from others are generated again. */
  #isGenerated(id: ObjectId): boolean {
    const expression = this.#from.facts.get(id)?.payload['generatedExpr'];
    return expression !== undefined && expression !== null;
  }

  /** The locks of a statement that is not applied to a clone: those that its kind takes on the tables that it names. */
  #findLocks(step: Step): readonly TableLock[] {
    const mode = LOCKS[step.lockClass];
    if (mode === undefined) return [];
    const isRewritten = step.rewriteRisk && /\balter column\b.*\btype\b/isu.test(step.sql);
    return this.#existingTables(step).map(({ schema, name }) => ({ table: `${schema}.${name}`, mode, isRewritten }));
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

const LOCKS: Readonly<Partial<Record<Step['lockClass'], BlockingMode>>> = {
  share: 'SHARE',
  shareRowExclusive: 'SHARE ROW EXCLUSIVE',
  accessExclusive: 'ACCESS EXCLUSIVE',
};

const QUOTED = String.raw`"(?:[^"]|"")+"`;
/** `ALTER TABLE "api"."items" ADD COLUMN "color" text NOT NULL`, or `… ALTER COLUMN "color" SET NOT NULL` */
const NOT_NULL = new RegExp(
  String.raw`^(?<head>ALTER TABLE ${QUOTED}\.${QUOTED}) (?:ADD COLUMN (?<added>${QUOTED}) (?<rest>.* NOT NULL)|ALTER COLUMN (?<existing>${QUOTED}) SET NOT NULL)$`,
  'su',
);
const HAS_VALUE = / (?:DEFAULT|GENERATED) /u;

function renderTask(id: ColumnId, place: string | undefined): readonly string[] {
  const [column, table] = [escapeIdentifier(id.name), quoteName(id.schema, id.table)];
  return [
    `FILL FIRST: ${describeMissingValue(id, place)}`,
    `Fill it here: update ${table} set ${column} = … where ${column} is null;`,
  ];
}

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
  return makePortable(sql.trim().replace(/;$/u, '').trimEnd());
}

/** The privileges on tables as the library lists them. */
const ALL_PRIVILEGES = 'DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE';
const GRANT_MAINTAIN =
  /^(?<head>(?:ALTER DEFAULT PRIVILEGES .*?)?GRANT )(?<list>[A-Z, ]*\bMAINTAIN\b[A-Z, ]*)(?<rest> ON .*)$/su;

/** Versions before 17 do not have MAINTAIN, which is part of all privileges since then. */
function makePortable(sql: string): string {
  const { head, list, rest } = GRANT_MAINTAIN.exec(sql)?.groups ?? {};
  if (head === undefined || list === undefined || rest === undefined) return sql;
  if (list === ALL_PRIVILEGES) return `${head}ALL${rest}`;
  const others = list.split(', ').filter((privilege) => privilege !== 'MAINTAIN');
  const body = `begin if current_setting('server_version_num')::int >= 170000 then ${head}MAINTAIN${rest}; end if; end`;
  const tag = findTag(body);
  return [...(others.length === 0 ? [] : [`${head}${others.join(', ')}${rest}`]), `do ${tag} ${body} ${tag}`].join(
    ';\n',
  );
}

/** Returns a dollar quote that the text does not contain. */
export function findTag(text: string): string {
  let tag = '$$';
  for (let number = 1; text.includes(tag); number += 1) tag = `$r${number}$`;
  return tag;
}

// Carries a plan out in a database that nobody else uses, and completes it: with the objects that the library does not
// follow, at the place where other steps need them, and with the details that it does not read.
import { type Client, DatabaseError } from 'pg';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import {
  type Catalog,
  type CatalogDifference,
  compareCatalogs,
  readCatalog,
} from '../project/compare/catalog/catalog.ts';
import { isColumnId } from '../project/compare/object-id.ts';
import type { Plan, Step } from '../project/compare/schema-delta.ts';

export interface CarryingFailure {
  readonly message: string;
  readonly sql: string;
}

/** Names are qualified, and functions may use what comes after them. */
const SETTINGS = 'set search_path = pg_catalog; set check_function_bodies = off';

/** Parameters: schema, table, column. The triggers of partitions disappear and return with that of their parent. */
const FIND_TRIGGERS = `
select format('drop trigger %I on %s', tgname, tgrelid::regclass) as drop,
  array_remove(array[
    pg_get_triggerdef(trig.oid),
    case when tgenabled <> 'O' then format('alter table %s %s trigger %I', tgrelid::regclass,
      case tgenabled when 'D' then 'disable' when 'R' then 'enable replica' else 'enable always' end, tgname) end,
    format('comment on trigger %I on %s is ', tgname, tgrelid::regclass)
      || quote_literal(obj_description(trig.oid, 'pg_trigger'))
  ], null) as restore
from pg_trigger as trig
where not tgisinternal and tgparentid = 0 and exists (
  select from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
  where classid = 'pg_trigger'::regclass and objid = trig.oid and refclassid = 'pg_class'::regclass
    and refobjid = format('%I.%I', $1::text, $2::text)::regclass and attname = $3)
order by tgname`;

const CHANGES_TYPE = / ALTER COLUMN .* TYPE /su;

/** Objects may need each other. */
const MAX_ROUNDS = 6;

/** Steps that are sent together: most plans need no second look at one of them. */
const CHUNK = 50;

/**
 * @param client not in a transaction; each statement is committed
 * @param wanted what the database is to contain in the end
 * @returns all steps in the order in which they ran
 */
export async function carryOut(
  client: Client,
  { actions }: Pick<Plan, 'actions'>,
  wanted: Catalog,
): Promise<Result<readonly Step[], CarryingFailure>> {
  await client.query(SETTINGS);
  try {
    const run = new Run(client);
    const { oldest } = wanted;
    const before = compareCatalogs(await readCatalog(client, { isInTransaction: false, oldest }), wanted);
    run.waiting = before.filter(({ isObject, statements }) => isObject && statements.length > 0);
    await run.tryWaiting();
    for (let start = 0; start < actions.length; start += CHUNK) {
      const failure = await run.performAll(actions.slice(start, start + CHUNK));
      if (failure !== undefined) return fail(failure);
    }
    await run.complete(wanted);
    return ok(run.done);
  } finally {
    await client.query('reset search_path; reset check_function_bodies');
  }
}

class Run {
  waiting: readonly CatalogDifference[] = [];
  done: Step[] = [];
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Sends the steps together, which runs all or none of them. If one fails, they run one by one. */
  async performAll(steps: readonly Step[]): Promise<CarryingFailure | undefined> {
    if ((await this.#try(steps.map(({ sql }) => sql).join(';\n'))) === undefined) {
      this.done.push(...steps);
      return undefined;
    }
    for (const step of steps) {
      const failure = await this.#perform(step);
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  /** Tries again after the statements that wait, one of which may make or drop what the step needs made or dropped. */
  async #perform(step: Step): Promise<CarryingFailure | undefined> {
    for (;;) {
      const failure = await this.#try(step.sql);
      if (failure === undefined) {
        this.done.push(step);
        return undefined;
      }
      if (await this.#performWithoutTriggers(step)) return undefined;
      if (!(await this.tryWaiting())) return { message: failure, sql: step.sql };
    }
  }

  /**
   * PostgreSQL does not change the type of a column that a trigger names (`when (…)`, `update of …`).
   *
   * @returns whether the step has run, between statements that drop the triggers of its column and make them again
   */
  async #performWithoutTriggers(step: Step): Promise<boolean> {
    const column = [...step.produces, ...step.consumes].find(isColumnId);
    if (column === undefined || !CHANGES_TYPE.test(step.sql)) return false;
    const values = [column.schema, column.table, column.name];
    const { rows } = await this.#client.query<{ drop: string; restore: string[] }>(FIND_TRIGGERS, values);
    const [drop, restore] = [rows.map((row) => row.drop), rows.flatMap((row) => row.restore)];
    if (drop.length === 0 || (await this.#try([...drop, step.sql, ...restore].join(';\n'))) !== undefined) return false;
    this.done.push(...drop.map(stepOf), step, ...restore.map(stepOf));
    return true;
  }

  /** @returns whether any of them has run */
  async tryWaiting(): Promise<boolean> {
    const left: CatalogDifference[] = [];
    for (const difference of this.waiting) if ((await this.#tryAll(difference)) === undefined) left.push(difference);
    const hasRun = left.length < this.waiting.length;
    this.waiting = left;
    return hasRun;
  }

  /** Sets what still differs, as far as statements do it. */
  async complete(wanted: Catalog): Promise<void> {
    const vain = new Set<string>();
    let rest = await this.#compare(wanted, vain);
    for (let round = 0; round < MAX_ROUNDS && rest.length > 0; round += 1) {
      // A new object has most of its properties already.
      const objects = rest.filter(({ isObject }) => isObject);
      const ran = new Map<string, readonly Step[]>();
      for (const difference of objects.length > 0 ? objects : rest) {
        const steps = await this.#tryAll(difference);
        if (steps === undefined) vain.add(difference.name);
        else ran.set(difference.name, steps);
      }
      rest = await this.#compare(wanted, vain);
      for (const { name } of rest) {
        const steps = ran.get(name);
        if (steps === undefined) continue;
        vain.add(name);
        this.done = this.done.filter((step) => !steps.includes(step));
      }
      rest = rest.filter(({ name }) => !vain.has(name));
    }
  }

  /** @returns what statements change, apart from what they did not change before */
  async #compare(wanted: Catalog, vain: ReadonlySet<string>): Promise<readonly CatalogDifference[]> {
    const { oldest } = wanted;
    const found = await readCatalog(this.#client, { isInTransaction: false, oldest });
    const differences = compareCatalogs(found, wanted);
    return differences.filter(({ name, statements }) => statements.length > 0 && !vain.has(name));
  }

  /** @returns the steps, or nothing if one of them fails, and none has run then */
  async #tryAll({ statements }: CatalogDifference): Promise<readonly Step[] | undefined> {
    if ((await this.#try(statements.join(';\n'))) !== undefined) return undefined;
    const steps = statements.map(stepOf);
    this.done.push(...steps);
    return steps;
  }

  async #try(sql: string): Promise<string | undefined> {
    try {
      await this.#client.query(sql);
      return undefined;
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      return error.message;
    }
  }
}

function stepOf(sql: string): Step {
  return {
    sql,
    verb: 'alter',
    produces: [],
    consumes: [],
    destroys: [],
    releases: [],
    transactionality: 'transactional',
    lockClass: 'none',
    newSegmentBefore: false,
    dataLoss: 'none',
    rewriteRisk: false,
  };
}

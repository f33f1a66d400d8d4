// Collects the tasks of a nested PATCH. Each row is a task of its own, so that its absence is known.
import { sortedNames } from '../../../util/code-points.ts';
import { ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { NestedStatement, RowAbsence, RowCondition, RowLink } from '../../actions/nested-plan.ts';
import type { NestedRow } from './level.ts';
import type { InsertPlanner } from './plan-inserts.ts';
import { linkedColumns, type StatementPlanner } from './plan-statement.ts';

export interface RowTask {
  readonly planner: StatementPlanner;
  readonly verb: NestedStatement['verb'];
  readonly pointer: string;
  readonly absence: RowAbsence;
  /** Columns that the client sends, if they are not those of `sent`. */
  readonly names?: readonly string[] | undefined;
  /** Members that the client sends. */
  readonly sent?: ReadonlyMap<string, string>;
  readonly links?: readonly RowLink[];
  readonly further?: Partial<
    Pick<NestedStatement, 'match' | 'cleared' | 'where' | 'returned' | 'conflict' | 'appliesDefaults'>
  >;
  readonly condition?: RowCondition | undefined;
}

export class PatchPlanner {
  readonly inserts: InsertPlanner;

  constructor(inserts: InsertPlanner) {
    this.inserts = inserts;
  }

  /** @returns the task of the row */
  add({ planner, verb, sent = new Map(), links = [], further = {}, ...own }: RowTask): Result<number, ApiError> {
    const names = sortedNames([...(own.names ?? sent.keys())]);
    const statement = planner.plan({ verb, sent: names, linked: linkedColumns(links), ...further });
    if (!statement.ok) return statement;
    const { pointer, absence, condition } = own;
    const members = names.flatMap((name) => sent.get(name) ?? []);
    const row = { pointer, statement: statement.value, fallback: undefined, members, links, absence, condition };
    return ok(this.inserts.tasks.push({ rows: [row], isSingly: true }) - 1);
  }

  /** Compares the values that a row repeats although they come from its parent. */
  addRepeated(row: NestedRow, links: readonly RowLink[], planner: StatementPlanner): Result<undefined, ApiError> {
    const shared = links.map((link) => ({ ...link, columns: link.columns.filter(([own]) => row.members.has(own)) }));
    const linked = linkedColumns(shared);
    if (linked.length === 0) return ok(undefined);
    const statement = planner.plan({ verb: 'same', sent: [], linked });
    if (!statement.ok) return statement;
    const members = [...pick(row, linked).values()];
    const own = { pointer: row.pointer, statement: statement.value, fallback: undefined, members, links: shared };
    this.inserts.tasks.push({ rows: [{ ...own, absence: 'different' }], isSingly: true });
    return ok(undefined);
  }

  /** Removes what is not in the list. */
  addOthers(
    verb: 'deleteOthers' | 'clearOthers',
    kept: readonly ReadonlyMap<string, string>[],
    { planner, names, links, cleared = [], pointer }: OthersTask,
  ): Result<undefined, ApiError> {
    const linked = linkedColumns(links);
    const statement = planner.plan({ verb, sent: names, linked, match: linked, kept: names, cleared });
    if (!statement.ok) return statement;
    const base = { pointer, statement: statement.value, fallback: undefined, links, absence: 'accepted' } as const;
    const rows = kept.map((values) => ({ ...base, members: names.flatMap((name) => values.get(name) ?? []) }));
    this.inserts.tasks.push({ rows: [{ ...base, members: [] }, ...rows], isSingly: false });
    return ok(undefined);
  }
}

export interface OthersTask {
  readonly planner: StatementPlanner;
  readonly pointer: string;
  /** The columns of the key. */
  readonly names: readonly string[];
  readonly links: readonly RowLink[];
  readonly cleared?: readonly string[];
}

/** Returns the members of a row that are, or are not, in a list. */
export function pick(row: NestedRow, names: readonly string[], isListed = true): ReadonlyMap<string, string> {
  return new Map([...row.members].filter(([name]) => names.includes(name) === isListed));
}

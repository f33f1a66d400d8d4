// Plans what a PATCH does with the rows that refer to the parent, or to which the parent refers (`beyond.md` §2.2).
import { targetOf } from '../plan-conflict-target.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { Relation } from '../../../catalog/schema-cache.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { ConflictPlan } from '../../actions/action-plan.ts';
import type { RowLink } from '../../actions/nested-plan.ts';
import { inheritedColumns } from './level.ts';
import { type PatchPlanner, pick } from './patch-planner.ts';
import type { InsertContext } from './plan-inserts.ts';
import { StatementPlanner } from './plan-statement.ts';
import { nestedRow } from './read-levels.ts';
import { type KeyedRow, keyOf, type RelatedChange } from './read-patch.ts';

type Done = Result<undefined, ApiError>;
const DONE: Done = ok(undefined);

export interface ChangeContext extends InsertContext {
  readonly patch: PatchPlanner;
}

/** Plans changes to one relationship after the parent was changed or locked. */
export class OwnedPlanner {
  readonly #change: RelatedChange;
  readonly #patch: PatchPlanner;
  readonly #context: ChangeContext;
  readonly #planner: StatementPlanner;
  readonly #links: readonly RowLink[];
  readonly #key: readonly string[];
  readonly #inherited: readonly string[];

  /** @param top the task of the parent */
  constructor(change: RelatedChange, top: number, context: ChangeContext) {
    const { link, relation } = change.level;
    const columns = link.placement === 'after' ? link.relationship.columns : [];
    this.#change = change;
    this.#patch = context.patch;
    this.#context = context;
    this.#planner = new StatementPlanner(relation, context.planContext);
    this.#links = [{ task: top, row: 0, columns: columns.map(([theirs, own]) => [own, theirs] as const) }];
    this.#key = keyOf(change.level);
    this.#inherited = inheritedColumns(change.level);
  }

  plan(): Done {
    const removed = this.#planRemoved();
    if (!removed.ok) return removed;
    for (const keyed of this.#change.keyed) {
      const repeated = this.#patch.addRepeated(keyed.row, this.#links, this.#planner);
      if (!repeated.ok) return repeated;
      const planned = this.#planKeyed(keyed);
      if (!planned.ok) return planned;
    }
    return DONE;
  }

  #planRemoved(): Done {
    const { removed, keyed, level, pointer } = this.#change;
    if (removed === 'none') return DONE;
    const task = { planner: this.#planner, pointer, names: this.#key, links: this.#links };
    const kept = removed === 'all' ? [] : keyed.map(({ row }) => row.members);
    return level.link.isArray
      ? this.#patch.addOthers('deleteOthers', kept, task)
      : this.#patch.addOthers('clearOthers', kept, { ...task, cleared: this.#inherited });
  }

  #planKeyed({ command, row }: KeyedRow): Result<unknown, ApiError> {
    const { isArray } = this.#change.level.link;
    const base = { planner: this.#planner, pointer: row.pointer, links: this.#links, absence: 'missing' } as const;
    const match = [...(isArray ? this.#key : []), ...this.#inherited];
    const sent = pick(row, this.#key);
    switch (command) {
      case 'disconnect':
        return this.#patch.add({ ...base, verb: 'update', sent, further: { match, cleared: this.#inherited } });
      case 'delete':
        return this.#patch.add({ ...base, verb: 'delete', sent, further: { match } });
      case 'connect':
        return this.#planConnect({ command, row });
      case 'update':
        return isArray && this.#isCreatable() ? this.#planUpsert(row) : this.#planUpdate(row, match);
    }
  }

  #planUpdate(row: KeyedRow['row'], match: readonly string[]): Result<unknown, ApiError> {
    const sent = pick(row, this.#inherited, false);
    const isChange = [...sent.keys()].some((name) => !match.includes(name));
    const base = { planner: this.#planner, pointer: row.pointer, links: this.#links, absence: 'missing' } as const;
    return this.#patch.add({ ...base, verb: isChange ? 'update' : 'find', sent, further: { match } });
  }

  #planConnect({ row }: KeyedRow): Result<unknown, ApiError> {
    const { primaryKey } = this.#change.level.relation;
    if (this.#key.length < primaryKey.length)
      return fail(nestedRow(row.pointer, 'The primary key of this row contains that of its parent'));
    const base = { planner: this.#planner, pointer: row.pointer, links: this.#links, absence: 'missing' } as const;
    return this.#patch.add({ ...base, verb: 'update', sent: pick(row, primaryKey), further: { match: primaryKey } });
  }

  /** Rows whose key the database does not make are created with the key that the client sends. */
  #isCreatable(): boolean {
    return this.#change.removed === 'others' && hasClientKey(this.#change.level.relation, this.#key);
  }

  #planUpsert(row: KeyedRow['row']): Result<unknown, ApiError> {
    const base = { planner: this.#planner, pointer: row.pointer, links: this.#links } as const;
    const match = [...this.#key, ...this.#inherited];
    const found = this.#patch.add({
      ...base,
      verb: 'find',
      sent: pick(row, this.#key),
      absence: 'accepted',
      further: { match },
    });
    if (!found.ok) return found;
    const inserted = this.#patch.add({
      ...base,
      verb: 'insert',
      sent: pick(row, this.#inherited, false),
      absence: 'missing',
      condition: { task: found.value, isFound: false },
      further: { conflict: ignoring(this.#change.level.relation), appliesDefaults: this.#context.appliesDefaults },
    });
    if (!inserted.ok) return inserted;
    const sent = pick(row, this.#inherited, false);
    if ([...sent.keys()].every((name) => match.includes(name))) return DONE;
    const condition = { task: found.value, isFound: true };
    return this.#patch.add({ ...base, verb: 'update', sent, absence: 'missing', condition, further: { match } });
  }
}

export function hasClientKey({ columns }: Relation, key: readonly string[]): boolean {
  return key.some((name) => {
    const column = columns.get(name);
    return column !== undefined && !column.isGenerated && column.defaultExpression === undefined;
  });
}

export function ignoring({ primaryKey }: Relation): ConflictPlan | undefined {
  return primaryKey.length === 0
    ? undefined
    : { target: targetOf(primaryKey), merged: undefined, resolution: 'ignore', isCounted: false };
}

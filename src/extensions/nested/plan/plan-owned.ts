// Plans what a PATCH does with the rows that refer to the parent, or to which the parent refers (`beyond.md` §2.2).
import { targetOf } from '../../../plan/writes/plan-conflict-target.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { Relation } from '../../../catalog/schema-cache.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { ConflictPlan } from '../../../plan/actions/action-plan.ts';
import type { RowLink } from '../nested-plan.ts';
import { type ChildLevel, inheritedColumns, pointerOf } from './level.ts';
import type { RowShape } from './nested-rows.ts';
import { type PatchPlanner, type PatchTask, pick } from './patch-planner.ts';
import type { InsertContext } from './plan-inserts.ts';
import { type FormDraft, StatementPlanner } from './plan-statement.ts';
import { nestedRow } from './read-levels.ts';
import { type KeyedRows, keyOf, type RelatedChange } from './read-patch.ts';

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
    const pairs = columns.map(([theirs, own]) => [own, theirs] as const);
    this.#links = [{ task: top, rowOf: () => 0, columns: pairs }];
    this.#key = keyOf(change.level);
    this.#inherited = inheritedColumns(change.level);
  }

  plan(): Done {
    const removed = this.#planRemoved();
    if (!removed.ok) return removed;
    for (const keyed of this.#change.keyed) {
      const repeated = this.#patch.addRepeated(keyed.level, this.#links, this.#planner);
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
    const kept = removed === 'all' ? undefined : keyed[0]?.level;
    return level.link.isArray
      ? this.#patch.addOthers('deleteOthers', kept, task)
      : this.#patch.addOthers('clearOthers', kept, { ...task, cleared: this.#inherited });
  }

  #planKeyed({ command, level }: KeyedRows): Result<unknown, ApiError> {
    const { isArray } = this.#change.level.link;
    const match = [...(isArray ? this.#key : []), ...this.#inherited];
    switch (command) {
      case 'disconnect':
        return this.#addMissing(level, (shape) => ({
          ...this.#keyOf(shape),
          verb: 'update',
          match,
          cleared: this.#inherited,
        }));
      case 'delete':
        return this.#addMissing(level, (shape) => ({ ...this.#keyOf(shape), verb: 'delete', match }));
      case 'connect': {
        const { primaryKey } = level.relation;
        if (level.rows.length > 0 && this.#key.length < primaryKey.length)
          return fail(nestedRow(pointerOf(level, 0), 'The primary key of this row contains that of its parent'));
        const base = { planner: this.#planner, links: this.#links, verb: 'update', match: primaryKey } as const;
        return this.#addMissing(level, (shape) => ({ ...base, sent: pick(shape, primaryKey) }));
      }
      case 'update':
        // Rows whose key the database does not make are created with the key that the client sends.
        return isArray && this.#change.removed === 'others' && hasClientKey(this.#change.level.relation, this.#key)
          ? this.#planUpsert(level)
          : this.#addMissing(
              level,
              (shape) => this.#draftUpdate(shape, match) ?? { ...this.#ownOf(shape), verb: 'find', match },
            );
    }
  }

  #addMissing(level: ChildLevel, draft: PatchTask['draft'], decidedBy?: number): Result<number, ApiError> {
    return this.#patch.add(level, { absence: 'missing', draft, ...(decidedBy !== undefined && { decidedBy }) });
  }

  #keyOf(shape: RowShape): Pick<FormDraft, 'planner' | 'links' | 'sent'> {
    return { planner: this.#planner, links: this.#links, sent: pick(shape, this.#key) };
  }

  #ownOf(shape: RowShape): Pick<FormDraft, 'planner' | 'links' | 'sent'> {
    return { planner: this.#planner, links: this.#links, sent: pick(shape, this.#inherited, false) };
  }

  /** @returns undefined if the row has only its key */
  #draftUpdate(shape: RowShape, match: readonly string[]): FormDraft | undefined {
    const own = this.#ownOf(shape);
    return own.sent.every((name) => match.includes(name)) ? undefined : { ...own, verb: 'update', match };
  }

  #planUpsert(level: ChildLevel): Result<unknown, ApiError> {
    const match = [...this.#key, ...this.#inherited];
    const found = this.#patch.add(level, {
      absence: 'accepted',
      draft: (shape) => ({ ...this.#keyOf(shape), verb: 'find', match }),
    });
    if (!found.ok) return found;
    const conflict = ignoring(this.#change.level.relation);
    const { appliesDefaults } = this.#context;
    const create = (shape: RowShape): FormDraft => ({
      ...this.#ownOf(shape),
      verb: 'insert',
      conflict,
      appliesDefaults,
    });
    const draft: PatchTask['draft'] = (shape, isFound) => (isFound ? this.#draftUpdate(shape, match) : create(shape));
    return this.#addMissing(level, draft, found.value);
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

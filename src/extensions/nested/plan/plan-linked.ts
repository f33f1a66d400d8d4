// Plans what a PATCH does with the rows of a many-to-many relationship (`beyond.md` §2.2).
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { RowLink } from '../nested-plan.ts';
import { ignoring, hasClientKey, type ChangeContext } from './plan-owned.ts';
import type { ChildLevel, LevelLink } from './level.ts';
import type { RowShape } from './nested-rows.ts';
import { type PatchPlanner, type PatchTask, pick } from './patch-planner.ts';
import { type FormDraft, StatementPlanner } from './plan-statement.ts';
import { nestedRow } from './read-levels.ts';
import type { KeyedRows, RelatedChange } from './read-patch.ts';

type Done = Result<undefined, ApiError>;
const DONE: Done = ok(undefined);
type JunctionLink = Extract<LevelLink, { placement: 'junction' }>;

export class LinkedPlanner {
  readonly #change: RelatedChange;
  readonly #link: JunctionLink;
  readonly #patch: PatchPlanner;
  readonly #far: StatementPlanner;
  readonly #junction: StatementPlanner;
  readonly #appliesDefaults: boolean;
  /** The columns of the junction that refer to the parent. */
  readonly #links: readonly RowLink[];
  readonly #match: readonly string[];

  constructor(
    change: RelatedChange,
    link: JunctionLink,
    { top, context }: { readonly top: number; readonly context: ChangeContext },
  ) {
    const { originColumns, targetColumns } = link.relationship;
    this.#change = change;
    this.#link = link;
    this.#patch = context.patch;
    this.#appliesDefaults = context.appliesDefaults;
    this.#far = new StatementPlanner(change.level.relation, context.planContext);
    this.#junction = new StatementPlanner(link.junction, context.planContext);
    const own = originColumns.map(([theirs, name]) => [name, theirs] as const);
    const farColumns = targetColumns.map(([name]) => name);
    this.#links = [{ task: top, rowOf: () => 0, columns: own.filter(([name]) => !farColumns.includes(name)) }];
    this.#match = [...new Set([...own.map(([name]) => name), ...farColumns])];
  }

  plan(): Done {
    const { keyed, removed, pointer, level } = this.#change;
    const { targetColumns } = this.#link.relationship;
    if (
      keyed.some(({ level: { rows } }) => rows.length > 0) &&
      !targetColumns.every(([, name]) => level.relation.primaryKey.includes(name))
    )
      return fail(nestedRow(pointer, 'The rows are not linked by their primary keys'));
    if (removed !== 'none') {
      const names = targetColumns.map(([name]) => name);
      const task = { planner: this.#junction, pointer, names, renamed: this.#renamed, links: this.#links };
      const others = this.#patch.addOthers('deleteOthers', keyed[0]?.level, task);
      if (!others.ok) return others;
    }
    for (const each of keyed) {
      const planned = this.#planKeyed(each);
      if (!planned.ok) return planned;
    }
    return DONE;
  }

  /**
   * Finds all rows before it changes any: otherwise an error of the database would tell rows that exist from others.
   */
  #planKeyed({ command, level }: KeyedRows): Result<unknown, ApiError> {
    switch (command) {
      case 'disconnect':
        return this.#add(level, (shape) => this.#draftJunction('delete', shape));
      case 'delete': {
        const unlinked = this.#add(level, (shape) => this.#draftJunction('delete', shape));
        return unlinked.ok
          ? this.#add(
              level,
              this.#ifFound((shape) => this.#draftFar('delete', shape)),
              unlinked.value,
            )
          : unlinked;
      }
      case 'connect': {
        const found = this.#add(level, (shape) => this.#draftFar('find', shape));
        return found.ok
          ? this.#addLinks(
              level,
              this.#ifFound((shape) => this.#draftJunction('insert', shape)),
              found.value,
            )
          : found;
      }
      case 'update':
        return this.#planUpdate(level);
    }
  }

  #planUpdate(level: ChildLevel): Result<unknown, ApiError> {
    const isCreating = this.#isCreating;
    const found = this.#patch.add(level, {
      absence: isCreating ? 'accepted' : 'missing',
      draft: (shape) => this.#draftJunction('find', shape),
    });
    if (!found.ok) return found;
    const create = (shape: RowShape): FormDraft | undefined => (isCreating ? this.#draftCreation(shape) : undefined);
    const changed = this.#add(
      level,
      (shape, isFound) => (isFound ? this.#draftFar('update', shape) : create(shape)),
      found.value,
    );
    if (!changed.ok || !isCreating) return changed;
    const link: PatchTask['draft'] = (shape, isFound) => (isFound ? undefined : this.#draftJunction('insert', shape));
    return this.#addLinks(level, link, found.value);
  }

  #ifFound(draft: (shape: RowShape) => FormDraft): PatchTask['draft'] {
    return (shape, isFound) => (isFound ? draft(shape) : undefined);
  }

  #add(level: ChildLevel, draft: PatchTask['draft'], decidedBy?: number): Result<number, ApiError> {
    return this.#patch.add(level, { absence: 'missing', draft, ...(decidedBy !== undefined && { decidedBy }) });
  }

  /** A row that is linked already stays so. */
  #addLinks(level: ChildLevel, draft: PatchTask['draft'], decidedBy: number): Result<number, ApiError> {
    return this.#patch.add(level, { absence: 'accepted', draft, decidedBy });
  }

  /** Rows whose key the database does not make are created with the key that the client sends. */
  get #isCreating(): boolean {
    const { removed, level } = this.#change;
    return removed === 'others' && hasClientKey(level.relation, level.relation.primaryKey);
  }

  get #primaryKey(): readonly string[] {
    return this.#change.level.relation.primaryKey;
  }

  /** The names that the key of the far row has there, by the names of the junction. */
  get #renamed(): ReadonlyMap<string, string> {
    return new Map(this.#link.relationship.targetColumns);
  }

  #draftJunction(verb: 'delete' | 'find' | 'insert', { names }: RowShape): FormDraft {
    const further = verb === 'insert' ? { conflict: ignoring(this.#link.junction) } : { match: this.#match };
    const columns = this.#link.relationship.targetColumns.filter(([, theirs]) => names.includes(theirs));
    const sent = columns.map(([own]) => own);
    return { planner: this.#junction, verb, sent, renamed: this.#renamed, links: this.#links, ...further };
  }

  /** A row that has only its key stays as it is. */
  #draftFar(verb: 'delete' | 'find' | 'update', shape: RowShape): FormDraft {
    const match = this.#primaryKey;
    const isChange = verb === 'update' && shape.names.some((name) => !match.includes(name));
    const sent = isChange ? shape.names : pick(shape, match);
    return { planner: this.#far, verb: verb === 'update' && !isChange ? 'find' : verb, sent, match };
  }

  /** Fails if a row that is not linked has the key. */
  #draftCreation({ names }: RowShape): FormDraft {
    const conflict = ignoring(this.#change.level.relation);
    return { planner: this.#far, verb: 'insert', sent: names, conflict, appliesDefaults: this.#appliesDefaults };
  }
}

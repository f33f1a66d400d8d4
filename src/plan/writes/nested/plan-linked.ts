// Plans what a PATCH does with the rows of a many-to-many relationship (`beyond.md` §2.2).
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { RowCondition, RowLink } from '../../actions/nested-plan.ts';
import { ignoring, hasClientKey, type ChangeContext } from './plan-changes.ts';
import type { LevelLink, NestedRow } from './level.ts';
import { type PatchPlanner, pick } from './patch-planner.ts';
import { StatementPlanner } from './plan-statement.ts';
import { nestedRow } from './read-levels.ts';
import type { KeyedCommand, RelatedChange } from './read-patch.ts';

type Done = Result<undefined, ApiError>;
const DONE: Done = ok(undefined);
/** In the order of execution. */
const COMMANDS: readonly KeyedCommand[] = ['disconnect', 'delete', 'update', 'connect'];
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
    this.#links = [{ task: top, row: 0, columns: own.filter(([name]) => !farColumns.includes(name)) }];
    this.#match = [...new Set([...own.map(([name]) => name), ...farColumns])];
  }

  plan(): Done {
    const { keyed, removed, pointer, level } = this.#change;
    const { targetColumns } = this.#link.relationship;
    if (keyed.length > 0 && !targetColumns.every(([, name]) => level.relation.primaryKey.includes(name)))
      return fail(nestedRow(pointer, 'The rows are not linked by their primary keys'));
    if (removed !== 'none') {
      const names = targetColumns.map(([name]) => name);
      const kept = keyed.map(({ row }) => this.#toJunction(row));
      const task = { planner: this.#junction, pointer, names, links: this.#links };
      const others = this.#patch.addOthers('deleteOthers', kept, task);
      if (!others.ok) return others;
    }
    for (const command of COMMANDS) {
      const rows = keyed.filter((each) => each.command === command).map(({ row }) => row);
      const planned = this.#planCommand(command, rows);
      if (!planned.ok) return planned;
    }
    return DONE;
  }

  /**
   * Finds all rows before it changes any: otherwise an error of the database would tell rows that exist from others.
   */
  #planCommand(command: KeyedCommand, rows: readonly NestedRow[]): Done {
    const found: (readonly [row: NestedRow, task: number])[] = [];
    for (const row of rows) {
      const planned = this.#planFinding(command, row);
      if (!planned.ok) return planned;
      found.push([row, planned.value]);
    }
    for (const [row, task] of found) {
      const planned = this.#planChange(command, row, task);
      if (!planned.ok) return planned;
    }
    return DONE;
  }

  #planFinding(command: KeyedCommand, row: NestedRow): Result<number, ApiError> {
    switch (command) {
      case 'disconnect':
      case 'delete':
        return this.#planJunction('delete', row);
      case 'connect':
        return this.#planFar('find', row);
      case 'update':
        return this.#planJunction('find', row);
    }
  }

  /** @param found the task that finds the row */
  #planChange(command: KeyedCommand, row: NestedRow, found: number): Result<unknown, ApiError> {
    const condition = { task: found, isFound: true };
    switch (command) {
      case 'disconnect':
        return DONE;
      case 'delete':
        return this.#planFar('delete', row, condition);
      case 'connect':
        return this.#planJunction('insert', row, condition);
      case 'update': {
        const created = this.#isCreating ? this.#planCreation(row, { task: found, isFound: false }) : DONE;
        return created.ok ? this.#planFar('update', row, condition) : created;
      }
    }
  }

  /** Rows whose key the database does not make are created with the key that the client sends. */
  get #isCreating(): boolean {
    const { removed, level } = this.#change;
    return removed === 'others' && hasClientKey(level.relation, level.relation.primaryKey);
  }

  get #primaryKey(): readonly string[] {
    return this.#change.level.relation.primaryKey;
  }

  /** The key of the far row, under the names of the junction. */
  #toJunction({ members }: NestedRow): ReadonlyMap<string, string> {
    return new Map(
      this.#link.relationship.targetColumns.flatMap(([own, theirs]) => {
        const text = members.get(theirs);
        return text === undefined ? [] : [[own, renameMember(text, { from: theirs, to: own })] as const];
      }),
    );
  }

  #planJunction(
    verb: 'delete' | 'find' | 'insert',
    row: NestedRow,
    condition?: RowCondition,
  ): Result<number, ApiError> {
    const isInsert = verb === 'insert';
    const further = isInsert ? { conflict: ignoring(this.#link.junction) } : { match: this.#match };
    const isOptional = isInsert || (verb === 'find' && this.#isCreating);
    return this.#patch.add({
      planner: this.#junction,
      verb,
      pointer: row.pointer,
      sent: this.#toJunction(row),
      links: this.#links,
      absence: isOptional ? 'accepted' : 'missing',
      condition,
      further,
    });
  }

  #planFar(verb: 'delete' | 'find' | 'update', row: NestedRow, condition?: RowCondition): Result<number, ApiError> {
    const match = this.#primaryKey;
    const isChange = verb === 'update' && [...row.members.keys()].some((name) => !match.includes(name));
    const sent = isChange ? row.members : pick(row, match);
    const used = verb === 'update' && !isChange ? 'find' : verb;
    const base = { planner: this.#far, pointer: row.pointer, absence: 'missing' } as const;
    return this.#patch.add({ ...base, verb: used, sent, condition, further: { match } });
  }

  /** Fails if a row that is not linked has the key. */
  #planCreation(row: NestedRow, condition: RowCondition): Result<unknown, ApiError> {
    const conflict = ignoring(this.#change.level.relation);
    const created = this.#patch.add({
      planner: this.#far,
      verb: 'insert',
      pointer: row.pointer,
      sent: row.members,
      absence: 'missing',
      condition,
      further: { conflict, appliesDefaults: this.#appliesDefaults },
    });
    return created.ok ? this.#planJunction('insert', row, condition) : created;
  }
}

function renameMember(text: string, { from, to }: { readonly from: string; readonly to: string }): string {
  return `${JSON.stringify(to)}${text.slice(JSON.stringify(from).length)}`;
}

// Plans what a PATCH does with the rows of a many-to-many relationship (`beyond.md` §2.2).
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { RowLink } from '../../actions/nested-plan.ts';
import { ignoring, hasClientKey, type ChangeContext } from './plan-changes.ts';
import type { LevelLink, NestedRow } from './level.ts';
import { type PatchPlanner, pick } from './patch-planner.ts';
import { StatementPlanner } from './plan-statement.ts';
import { nestedRow } from './read-levels.ts';
import type { KeyedRow, RelatedChange } from './read-patch.ts';

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
    for (const each of keyed) {
      const planned = this.#planKeyed(each);
      if (!planned.ok) return planned;
    }
    return DONE;
  }

  #planKeyed({ command, row }: KeyedRow): Done {
    switch (command) {
      case 'disconnect':
        return this.#run(() => this.#planJunction('delete', row));
      case 'delete':
        return this.#run(
          () => this.#planJunction('delete', row),
          () => this.#planFar('delete', row),
        );
      case 'connect':
        return this.#run(
          () => this.#planFar('find', row),
          () => this.#planJunction('insert', row),
        );
      case 'update': {
        const isCreatable =
          this.#change.removed === 'others' && hasClientKey(this.#change.level.relation, this.#primaryKey);
        if (isCreatable) return this.#planUpsert(row);
        return this.#run(
          () => this.#planJunction('find', row),
          () => this.#planFar('update', row),
        );
      }
    }
  }

  #run(...steps: readonly (() => Result<unknown, ApiError>)[]): Done {
    for (const step of steps) {
      const planned = step();
      if (!planned.ok) return planned;
    }
    return DONE;
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

  #planJunction(verb: 'delete' | 'find' | 'insert', row: NestedRow): Result<number, ApiError> {
    const isInsert = verb === 'insert';
    const further = isInsert ? { conflict: ignoring(this.#link.junction) } : { match: this.#match };
    return this.#patch.add({
      planner: this.#junction,
      verb,
      pointer: row.pointer,
      sent: this.#toJunction(row),
      links: this.#links,
      absence: isInsert ? 'accepted' : 'missing',
      further,
    });
  }

  #planFar(verb: 'delete' | 'find' | 'update', row: NestedRow): Result<number, ApiError> {
    const match = this.#primaryKey;
    const isChange = verb === 'update' && [...row.members.keys()].some((name) => !match.includes(name));
    const sent = isChange ? row.members : pick(row, match);
    const used = verb === 'update' && !isChange ? 'find' : verb;
    return this.#patch.add({
      planner: this.#far,
      verb: used,
      pointer: row.pointer,
      sent,
      absence: 'missing',
      further: { match },
    });
  }

  /** Rows whose key the database does not make are created with the key that the client sends. */
  #planUpsert(row: NestedRow): Done {
    const { pointer } = row;
    const links = this.#links;
    const sent = this.#toJunction(row);
    const base = { planner: this.#junction, pointer, links, sent };
    const found = this.#patch.add({ ...base, verb: 'find', absence: 'accepted', further: { match: this.#match } });
    if (!found.ok) return found;
    const isNew = { task: found.value, isFound: false };
    const created = this.#patch.add({
      planner: this.#far,
      verb: 'insert',
      pointer,
      sent: row.members,
      absence: 'missing',
      condition: isNew,
      further: { conflict: ignoring(this.#change.level.relation), appliesDefaults: this.#appliesDefaults },
    });
    if (!created.ok) return created;
    const linked = this.#patch.add({ ...base, verb: 'insert', absence: 'accepted', condition: isNew });
    return linked.ok ? this.#run(() => this.#planFar('update', row)) : linked;
  }
}

function renameMember(text: string, { from, to }: { readonly from: string; readonly to: string }): string {
  return `${JSON.stringify(to)}${text.slice(JSON.stringify(from).length)}`;
}

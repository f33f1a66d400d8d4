// Plans the statements of nested rows. Rows of a level with the same columns share a statement.
import { sortedNames } from '../../../util/code-points.ts';
import type { Relation } from '../../../catalog/schema-cache.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { PayloadColumn } from '../../../plan/actions/action-plan.ts';
import type { NestedStatement, RowForm, RowLink } from '../nested-plan.ts';
import type { PlanContext } from '../../../plan/actions/plan-context.ts';
import { findReader } from '../../../plan/levels/representations.ts';
import { columnNotFound } from '../../../plan/writes/plan-payload.ts';
import type { RowShape } from './nested-rows.ts';

/** A statement, with names in place of columns. */
export type StatementDraft = Pick<NestedStatement, 'verb'> &
  Partial<Omit<NestedStatement, 'verb' | 'columns'>> & {
    /** Columns whose values the client sends. */
    readonly sent: readonly string[];
    /** Columns whose values come from other rows. */
    readonly linked?: readonly string[];
  };

export interface FormDraft extends Omit<StatementDraft, 'sent' | 'linked'> {
  readonly planner: StatementPlanner;
  /** Columns whose values the client sends, in any order. Rows may lack some. */
  readonly sent: readonly string[];
  /** The names that columns have in the rows, where these differ. */
  readonly renamed?: ReadonlyMap<string, string>;
  /** Columns whose values the client sends, although they come from other rows: for comparison. */
  readonly repeated?: readonly string[];
  readonly links?: readonly RowLink[];
}

/** Plans how rows of one shape are written. */
export function planForm(shape: RowShape, draft: FormDraft): Result<RowForm, ApiError> {
  const { planner, sent, renamed, repeated, links = [], ...given } = draft;
  const names = sortedNames(sent);
  const statement = planner.plan({ ...given, sent: names, linked: linkedColumns(links) });
  if (!statement.ok) return statement;
  const members = (repeated ?? names).flatMap((name) => {
    const position = shape.names.indexOf(renamed?.get(name) ?? name);
    return position === -1 ? [] : [{ name, position }];
  });
  return ok({ statement: statement.value, fallback: undefined, members, links });
}

/** Plans how to compare the values that rows repeat although they come from other rows. */
export function planRepeated(
  shape: RowShape,
  { planner, sent, links = [] }: Pick<FormDraft, 'planner' | 'sent' | 'links'>,
): Result<RowForm | undefined, ApiError> {
  const given = new Set(sent.filter((name) => shape.names.includes(name)));
  const shared = links.map((link) => ({ ...link, columns: link.columns.filter(([own]) => given.has(own)) }));
  const repeated = linkedColumns(shared);
  return repeated.length === 0
    ? ok(undefined)
    : planForm(shape, { planner, verb: 'same', sent: [], repeated, links: shared });
}

/** The statements for one relation. */
export class StatementPlanner {
  readonly #relation: Relation;
  readonly #context: PlanContext;
  readonly #known = new Map<string, NestedStatement>();

  constructor(relation: Relation, context: PlanContext) {
    this.#relation = relation;
    this.#context = context;
  }

  /** Drafts of one verb must differ in the names of columns only. */
  plan(draft: StatementDraft): Result<NestedStatement, ApiError> {
    const { sent, linked = [], ...given } = draft;
    const key = JSON.stringify([given.verb, sent, linked, given.match, given.cleared]);
    const known = this.#known.get(key);
    if (known !== undefined) return ok(known);
    const columns: PayloadColumn[] = [];
    for (const [index, name] of [...sent, ...linked].entries()) {
      const column = this.#relation.columns.get(name);
      if (column === undefined) return fail(columnNotFound(name, { relation: this.#relation, context: this.#context }));
      // Values of other rows are values of the type already, not of its representation.
      const reader = index < sent.length ? findReader(this.#context.cache, column) : undefined;
      columns.push({ column, reader, operation: undefined });
    }
    const base = {
      match: [],
      cleared: [],
      kept: [],
      where: [],
      conflict: undefined,
      returned: [],
      old: undefined,
      appliesDefaults: false,
    };
    const statement = { ...base, ...given, relation: this.#relation, columns };
    this.#known.set(key, statement);
    return ok(statement);
  }
}

export function linkedColumns(links: readonly RowLink[]): readonly string[] {
  return links.flatMap(({ columns }) => columns.map(([own]) => own));
}

/** Returns the links without columns that a link before them has. */
export function withoutRepeatedColumns(links: readonly RowLink[]): readonly RowLink[] {
  const used = new Set<string>();
  return links.map((link) => {
    const columns = link.columns.filter(([own]) => !used.has(own));
    for (const [own] of columns) used.add(own);
    return { ...link, columns };
  });
}

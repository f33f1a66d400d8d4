// One level of a query during rendering: how its columns are qualified and where its parameters are bound.
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { FieldPlan, ReadPlan, ScorePlan } from '../../plan/levels/read-plan.ts';
import type { JsonStep } from '../../request/query/query-params.ts';
import type { ParentRow, Source } from './from.ts';
import { quoteQualified } from '../text/identifier.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';
import { renderRankedSearch } from './full-text.ts';

type ScopeSource = Pick<Source, 'ref' | 'depth' | 'relation' | 'parent' | 'columns'> & {
  readonly isFenced?: boolean;
};

export function scopeOf({ relation: name, fence }: ReadPlan, source: Source, builder: StatementBuilder): Scope {
  if (fence === undefined) return new Scope(builder, source);
  const relation = source.isWhole ? { name, computedColumns: fence.computedColumns } : source.relation;
  return new Scope(builder, { ...source, relation, isFenced: true });
}

export class Scope {
  readonly builder: StatementBuilder;
  /** Quoted table name or alias. */
  readonly ref: string;
  /** Number of levels above this one. */
  readonly depth: number;
  /** All columns of the level. */
  readonly star: string;
  /** The same as a record. */
  readonly row: string;
  /** See `ReadPlan.fence`. */
  readonly isFenced: boolean;
  readonly #relation: Source['relation'];
  readonly #parent: ParentRow | undefined;
  /** Rendered paths and scores. SELECT, GROUP BY and ORDER BY must use the same parameters to be the same expression. */
  readonly #paths = new Map<string, string>();

  constructor(builder: StatementBuilder, { ref, depth, relation, parent, columns, isFenced = false }: ScopeSource) {
    this.builder = builder;
    this.ref = ref;
    this.depth = depth;
    this.star = columns?.map((name) => `${ref}.${quoteIdentifier(name)}`).join(', ') ?? `${ref}.*`;
    this.isFenced = isFenced;
    this.row = columns === undefined && !isFenced ? `(${ref}.*)` : `ROW(${this.star})`;
    this.#relation = relation;
    this.#parent = parent;
  }

  /** Renders a column, computed column or path. Qualified, because otherwise PostgreSQL finds no computed columns. */
  field(field: FieldPlan): string {
    const column = `${this.#rowOf(field.column)}.${quoteIdentifier(field.column)}`;
    if (field.path.length === 0 && field.score === undefined) return column;
    const key = JSON.stringify(field);
    const known = this.#paths.get(key);
    if (known !== undefined) return known;
    const base = field.toJson ? `to_jsonb(${column})` : column;
    const value = base + field.path.map((step) => this.#step(step)).join('');
    const text = field.score === undefined ? value : renderScore(field.score, value, this.builder);
    this.#paths.set(key, text);
    return text;
  }

  /** Renders a column of the row that this level is embedded in. */
  parentField(field: FieldPlan): string {
    if (this.#parent === undefined) throw new Error('a top level has no parent row');
    return this.#parent.field(field);
  }

  #rowOf(column: string): string {
    const relation = this.#relation;
    if (relation === undefined || !relation.computedColumns.has(column)) return this.ref;
    return 'row' in relation ? relation.row : `(${this.row}::${quoteQualified(relation.name)})`;
  }

  #step({ arrow, operand }: JsonStep): string {
    const value = operand.kind === 'key' ? operand.name : operand.digits;
    return `${arrow}${this.builder.bind(value)}${operand.kind === 'index' ? '::int' : ''}`;
  }
}

/** @param field SQL of the value */
function renderScore(score: ScorePlan, field: string, builder: StatementBuilder): string {
  if (score.kind === 'rank') {
    const { vector, query } = renderRankedSearch(score, { field, toTsvector: score.toTsvector }, builder);
    return `ts_rank_cd(${vector}, ${query})`;
  }
  // Qualified, because the extension may be installed in a schema outside the search path.
  const operator = `OPERATOR(${quoteIdentifier(score.schema)}.${score.operator})`;
  return `(${field} ${operator} ${builder.bind(score.value)}::${score.type})`;
}

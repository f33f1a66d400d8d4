// Renders the query of a read's rows: one SELECT per level, with embeds as lateral joins (`reading.md` §12, §13, §18).
import {
  type Condition,
  countPresenceTests,
  type DistinctPlan,
  type OrderPlan,
  type ReadPlan,
} from '../../plan/levels/read-plan.ts';
import type { RowRange } from '../../request/range.ts';
import { quoteIdentifier } from '../../contract/identifiers.ts';
import { castTo, renderAggregate } from './aggregate.ts';
import { renderCondition } from './condition.ts';
import { renderEmbed, renderOrderedRows } from './embed.ts';
import type { LevelPlace, RenderedEmbed } from './embed-outputs.ts';
import type { Source } from './from.ts';
import {
  makeComparable,
  renderSelectItem,
  renderSelectList,
  renderValues,
  type LevelForm,
  type Output,
  type RenderedLevel,
} from './output.ts';
import { type Scope, scopeOf } from './scope.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';

/** Renders the rows of a plan in the form in which they are aggregated into a body. */
export function renderRows(plan: ReadPlan, source: Source, builder: StatementBuilder): string {
  return renderOrderedRows(renderLevel(plan, { source, builder }, 'row').text, plan);
}

/** Renders the rows of a plan that nothing puts together. */
export function renderLooseRows(plan: ReadPlan, source: Source, builder: StatementBuilder): string {
  return renderLevel(plan, { source, builder }, 'row').text;
}

/** Renders the values of the order of each row, as one column `k`. */
export function renderKeys(plan: ReadPlan, source: Source, builder: StatementBuilder): string {
  return renderLevel(plan, { source, builder }, 'key').text;
}

function renderLevel(plan: ReadPlan, { source, builder }: LevelPlace, form: LevelForm): RenderedLevel {
  const scope = scopeOf(plan, source, builder);
  // The level groups by its own columns, or the level above groups by columns lifted out of it.
  const isGrouping = form === 'groupable' || (form === 'row' && plan.isGrouped) || plan.distinct?.kind === 'rows';
  const embeds = renderEmbeds(plan, scope, isGrouping);
  const outputs = [
    ...plan.select.map((item) => renderSelectItem(item, scope)),
    ...embeds.flatMap((embed) => embed.outputs),
    ...(source.extra === undefined
      ? []
      : Array.from(source.extra, ([key, value]) => ({
          key,
          value,
          groupBy: value,
          aggregate: undefined,
          isNamed: false,
          jsonKeys: [],
        }))),
  ];
  const shown = plan.distinct?.kind === 'rows' ? outputs.map(makeComparable) : outputs;
  const presence = (embed: number, isPresent: boolean) => embeds[embed]?.presence(isPresent) ?? 'TRUE';
  const renderAll = (list: readonly Condition[]): string =>
    list.map((condition) => renderCondition(condition, scope, presence)).join(' AND ');
  const conditions = [
    ...source.conditions,
    ...embeds.flatMap(({ condition }) => condition ?? []),
    ...(plan.where.length > 0 ? [renderAll(plan.where)] : []),
  ];
  const having = plan.having.length > 0 ? `HAVING ${renderAll(plan.having)}` : '';
  const orderValues = plan.order.map((term) => renderTerm(term, scope, embeds));
  if (source.seek !== undefined) conditions.push(source.seek(orderValues));
  const text = joinClauses([
    `SELECT ${outputs.length > 0 ? renderDistinct(plan.distinct, scope) : ''}${[
      ...renderLead(plan, source, orderValues),
      ...(outputs.length > 0 || form === 'key' ? [renderShown(shown, form, orderValues)] : []),
    ].join(', ')}`.trimEnd(),
    `FROM ${joinClauses([source.from, ...embeds.map(({ join }) => join)])}`,
    conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '',
    form === 'row' && plan.isGrouped ? renderGroupBy(outputs, source.lead) : '',
    having,
    plan.order.length === 0 && source.order !== undefined && !plan.isGrouped
      ? `ORDER BY ${source.order}`
      : renderOrder(plan.order, orderValues),
    renderRange(plan.range, builder),
  ]);
  return { text, outputs };
}

function renderShown(outputs: readonly Output[], form: LevelForm, orderValues: readonly string[]): string {
  switch (form) {
    case 'row':
      return renderSelectList(outputs);
    case 'key':
      return `json_build_array(${orderValues.map((value) => `(${value})::text`).join(', ')}) AS "k"`;
    case 'positional':
    case 'groupable':
      return renderValues(outputs, form);
  }
}

function renderEmbeds(
  { embeds, order, where, having }: ReadPlan,
  scope: Scope,
  isGrouping: boolean,
): readonly RenderedEmbed[] {
  if (embeds.length === 0) return [];
  const ordered = new Set(order.map((term) => (term.kind === 'related' ? term.embed : undefined)));
  const tests = countPresenceTests([...where, ...having]);
  return embeds.map((embed, position) =>
    renderEmbed(embed, scope, {
      nestedType: isGrouping ? 'jsonb' : scope.builder.nestedType,
      liftedForm: isGrouping ? 'groupable' : 'positional',
      isOrderedBy: ordered.has(position),
      testCount: tests.get(position) ?? 0,
      renderLevel,
    }),
  );
}

function renderDistinct(distinct: DistinctPlan | undefined, scope: Scope): string {
  if (distinct === undefined) return '';
  if (distinct.kind === 'rows') return 'DISTINCT ';
  return `DISTINCT ON (${distinct.fields.map((field) => scope.field(field)).join(', ')}) `;
}

/** Renders the values before those of the plan. */
function renderLead({ order }: ReadPlan, { lead, place }: Source, orderValues: readonly string[]): readonly string[] {
  if (lead === undefined) return [];
  return place === undefined ? lead : [...lead, place(renderOrder(order, orderValues))];
}

function renderGroupBy(outputs: readonly Output[], lead: readonly string[] = []): string {
  const groups = [...lead, ...outputs.flatMap(({ groupBy }) => (groupBy === undefined ? [] : [groupBy]))];
  return groups.length > 0 ? `GROUP BY ${groups.join(', ')}` : '';
}

/** @param values SQL of the value of each term */
export function renderOrder(terms: readonly OrderPlan[], values: readonly string[]): string {
  if (terms.length === 0) return '';
  const rendered = terms.map((term, index) => {
    const direction = term.direction === undefined ? '' : ` ${term.direction.toUpperCase()}`;
    const nulls = term.nulls === undefined ? '' : term.nulls === 'nullsfirst' ? ' NULLS FIRST' : ' NULLS LAST';
    return `${values[index] ?? ''}${direction}${nulls}`;
  });
  return `ORDER BY ${rendered.join(', ')}`;
}

function renderTerm(term: OrderPlan, scope: Scope, embeds: readonly RenderedEmbed[]): string {
  switch (term.kind) {
    case 'field':
      return renderOwnOrder(term, scope);
    case 'aggregate':
      return renderAggregate(term.term, scope);
    case 'related':
      return renderRelated(term, scope, embeds);
  }
}

export function renderOwnOrder({ field, cast }: Extract<OrderPlan, { kind: 'field' }>, scope: Scope): string {
  return castTo(scope.field(field), cast);
}

/** Orders by an output column of the embed, to which JSON arrows apply directly. */
function renderRelated(
  term: Extract<OrderPlan, { kind: 'related' }>,
  scope: Scope,
  embeds: readonly RenderedEmbed[],
): string {
  const { column, path } = term.field;
  const value = embeds[term.embed]?.column(column) ?? quoteIdentifier(column);
  const steps = path.map(({ arrow, operand }) => {
    const bound = scope.builder.bind(operand.kind === 'key' ? operand.name : operand.digits);
    return `${arrow}${bound}${operand.kind === 'index' ? '::int' : ''}`;
  });
  return value + steps.join('');
}

export function renderRange({ offset, limit }: RowRange, builder: StatementBuilder): string {
  if (limit === undefined && offset === 0) return '';
  const count = limit === undefined ? 'ALL' : builder.bind(String(limit));
  return offset === 0 ? `LIMIT ${count}` : `LIMIT ${count} OFFSET ${builder.bind(String(offset))}`;
}

export function joinClauses(clauses: readonly string[]): string {
  return clauses.filter((clause) => clause !== '').join(' ');
}

// Renders the main statement of a read, and the query of its planned count.
import { quoteIdentifier } from '../contract/identifiers.ts';
import type { MainStatement, Statement } from '../contract/transaction.ts';
import type { CountPlan, PagingPlan, ReadAction } from '../plan/actions/action-plan.ts';
import { answerOf } from '../plan/actions/delivery-plan.ts';
import type { ReadPlan } from '../plan/levels/read-plan.ts';
import { renderEstimate } from './explain.ts';
import { renderCondition } from './levels/condition.ts';
import { renderCountQuery } from './levels/count.ts';
import type { Source } from './levels/from.ts';
import { quoteQualified } from './text/identifier.ts';
import { nestedTypeOf, type MainStatementParts, renderMainStatement } from './main-statement.ts';
import { renderVersion } from './writes/row-version.ts';
import type { LevelPlace } from './levels/embed-outputs.ts';
import { joinClauses, renderLooseRows, renderRange, renderRows } from './levels/read.ts';
import { Scope } from './levels/scope.ts';
import { StatementBuilder } from './text/statement-builder.ts';

/** Renders keyset pages, which an extension plans. */
export interface PageRenderer {
  readonly renderRows: RenderPage;
  /** Renders what the links of the page need, as a JSON array that becomes `DbOutcome.location`. */
  readonly renderEnds: RenderPage;
}

type RenderPage = (read: ReadPlan, paging: PagingPlan, place: LevelPlace) => string;

export function renderRead(action: ReadAction, pages: PageRenderer | undefined): MainStatement {
  const { read, paging } = action;
  const builder = new StatementBuilder(read.relation.name, nestedTypeOf(action.delivery));
  const source = relationSource(read);
  const place = { source, builder };
  const rows = (paging && pages?.renderRows(read, paging, place)) ?? renderRows(read, source, builder);
  const renderQuery = (): string => renderCountQuery(read, relationSource(read), builder);
  const total = renderTotal(action.count, renderQuery, builder);
  const renderPage = (): string => joinClauses([renderQuery(), renderRange(read.range, builder)]);
  const delivery = answerOf(action.delivery);
  const hasCountSubquery = delivery.kind === 'countedRows' && delivery.count === 'subquery';
  const pageRows = hasCountSubquery ? renderCount(renderPage(), builder) : undefined;
  const parts: MainStatementParts = {
    with: [],
    rows,
    shape: 'set',
    scalarColumn: '',
    pageRows,
    total,
    readSettingsAfter: undefined,
    extra: paging?.linkQuery === undefined ? [] : locationColumns(pages?.renderEnds(read, paging, place) ?? 'NULL'),
  };
  if (action.isVersioned) return renderVersioned(action, parts, place);
  const main = renderMainStatement(action, parts, builder);
  const isFlat =
    read.fence !== undefined &&
    delivery.kind === 'ndjson' &&
    'spelling' in delivery &&
    delivery.spelling.kind === 'asTheyAre' &&
    total === undefined &&
    paging === undefined;
  return isFlat ? { ...main, text: renderFlatLines(action) } : main;
}

/**
 * Renders lines without a subquery, whose rows Citus would write to files before it sends the first one. They have the
 * parameters of the usual form. Without a line, there is no row.
 */
function renderFlatLines({ read, delivery }: ReadAction): string {
  const lead = ['NULL::bigint', 'NULL', 'NULL', `current_setting('DateStyle') LIKE 'ISO%'`];
  const builder = new StatementBuilder(read.relation.name, nestedTypeOf(delivery));
  return renderLooseRows(read, { ...relationSource(read), lead }, builder);
}

/** Reads the row once more for its version, so that the rows keep the form that every delivery expects. */
function renderVersioned(
  action: ReadAction,
  parts: MainStatementParts,
  { source, builder }: LevelPlace,
): MainStatement {
  const scope = new Scope(builder, source);
  const where = action.read.where.map((condition) => renderCondition(condition, scope, () => 'TRUE')).join(' AND ');
  const renderWith = (version: string): MainStatement => {
    const extra = locationColumns(`(SELECT ${version} FROM ${source.from} WHERE ${where})`);
    return renderMainStatement(action, { ...parts, extra }, builder);
  };
  return { ...renderWith(renderVersion(source.ref)), unversionedText: renderWith('NULL::text').text };
}

function locationColumns(location: string): readonly string[] {
  return ['NULL::bigint AS "inserted"', `${location} AS "location"`];
}

export function explainCount(query: string, builder: StatementBuilder): Statement {
  return { text: renderEstimate(query), parameters: builder.parameters };
}

/** Renders the total as a scalar expression; undefined if the statement does not count. */
export function renderTotal(
  count: CountPlan,
  renderQuery: () => string,
  builder: StatementBuilder,
): string | undefined {
  switch (count.kind) {
    case 'none':
    case 'page':
    case 'planned':
      return undefined;
    case 'exact':
      return renderCount(renderQuery(), builder);
    case 'estimated': {
      const query = renderQuery();
      const cut = count.threshold === undefined ? '' : ` LIMIT ${builder.bind(String(count.threshold + 1))}`;
      return renderCount(query + cut, builder);
    }
  }
}

function renderCount(query: string, builder: StatementBuilder): string {
  return `(SELECT count(*) FROM (${query}) AS ${builder.alias()})`;
}

/** Uses the relation's own name, which then appears in PostgreSQL's error messages. */
export function relationSource({ relation }: ReadPlan): Source {
  return {
    ref: quoteIdentifier(relation.name),
    from: quoteQualified(relation),
    conditions: [],
    depth: 0,
    isWhole: true,
  };
}

// Renders the main statement of a read, and the query of its planned count.
import { quoteIdentifier } from '../contract/identifiers.ts';
import type { MainStatement, Statement } from '../contract/transaction.ts';
import type { CountPlan, ReadAction } from '../plan/actions/action-plan.ts';
import { answerOf } from '../plan/actions/delivery-plan.ts';
import type { ReadPlan } from '../plan/levels/read-plan.ts';
import { renderPageEnds, renderPageRows } from './render-page.ts';
import { renderCountQuery } from './levels/count.ts';
import type { Source } from './levels/from.ts';
import { quoteQualified } from './text/identifier.ts';
import { nestedTypeOf, renderOutcome } from './outcome.ts';
import { joinClauses, renderRange, renderRows } from './levels/read.ts';
import { StatementBuilder } from './text/statement-builder.ts';

export function renderRead(action: ReadAction): MainStatement {
  const { read, paging } = action;
  const builder = new StatementBuilder(read.relation.name, nestedTypeOf(action.delivery));
  const source = relationSource(read);
  const place = { source, builder };
  const rows = paging === undefined ? renderRows(read, source, builder) : renderPageRows(read, paging, place);
  const renderQuery = (): string => renderCountQuery(read, relationSource(read), builder);
  const total = renderTotal(action.count, renderQuery, builder);
  const renderPage = (): string => joinClauses([renderQuery(), renderRange(read.range, builder)]);
  const delivery = answerOf(action.delivery);
  const hasCountSubquery = delivery.kind === 'countedRows' && delivery.count === 'subquery';
  const pageRows = hasCountSubquery ? renderCount(renderPage(), builder) : undefined;
  return renderOutcome(
    action,
    {
      with: [],
      rows,
      shape: 'set',
      scalarColumn: '',
      pageRows,
      total,
      readSettingsAfter: undefined,
      extra:
        paging?.linkQuery === undefined
          ? []
          : ['NULL::bigint AS "inserted"', `${renderPageEnds(read, paging, place)} AS "location"`],
    },
    builder,
  );
}

export function renderPlannedCount(action: ReadAction): Statement {
  const builder = new StatementBuilder(action.read.relation.name);
  return explainCount(renderCountQuery(action.read, relationSource(action.read), builder), builder);
}

export function explainCount(query: string, builder: StatementBuilder): Statement {
  return { text: `EXPLAIN (FORMAT JSON) ${query}`, parameters: builder.parameters };
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
  return { ref: quoteIdentifier(relation.name), from: quoteQualified(relation), conditions: [], depth: 0 };
}

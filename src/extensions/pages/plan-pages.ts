// Plans keyset pages: completes the order by the primary key and reads the token (`beyond.md` §1.6).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Relation } from '../../catalog/schema-cache.ts';
import type { PagePosition } from '../../plan/actions/action-plan.ts';
import type { PagedSubject, PlannedPage } from '../../plan/actions/plan-context.ts';
import type { PageRequest } from '../../request/api-request.ts';
import { planOwnOrder } from '../../plan/levels/build-read-plan.ts';
import { isDescending, isNullsFirst } from './page-position.ts';
import type { OrderPlan, ReadPlan } from '../../plan/levels/read-plan.ts';
import { decodePageToken, type TokenOrder } from './page-token.ts';

export function planPages(page: PageRequest, subject: PagedSubject): Result<PlannedPage, ApiError> {
  const { read, relation } = subject;
  const problem = findProblem(page, subject);
  if (problem !== undefined) return fail({ kind: 'notImplemented', feature: problem });
  const stated = read.order.flatMap((term) => (term.kind === 'aggregate' ? [] : [term]));
  const terms = [...stated, ...missingKey(stated, relation)];
  const order = [[relation.name.schema, relation.name.name], ...terms.map((term) => describeTerm(term, read))];
  const position = readPosition(page, order);
  if (!position.ok) return position;
  const paging = { relation, order, position: position.value, linkQuery: page.linkQuery };
  return ok({ read: { ...read, order: terms }, paging });
}

function findProblem(page: PageRequest, { read, relation, range }: PagedSubject): string | undefined {
  const embedded = page.tokens.find(({ path }) => path.length > 0);
  if (embedded !== undefined)
    return `'${embedded.value.direction}' applies to the top level, not to an embedded resource.`;
  if (relation.primaryKey.length === 0 || relation.hasInheritors)
    return `Pages need a primary key, and none is known for '${relation.name.name}'.`;
  if (read.isGrouped) return 'Pages cannot be combined with aggregates.';
  if (read.distinct !== undefined) return "Pages cannot be combined with 'distinct'.";
  if (page.hasOffset) return "Pages cannot be combined with 'offset' or the header 'Range'.";
  if (page.linkQuery !== undefined && range.limit === undefined) return "Pages need a 'limit'.";
  return undefined;
}

/** Orders rows, not groups. */
type RowOrder = Exclude<OrderPlan, { kind: 'aggregate' }>;

function missingKey(order: readonly RowOrder[], relation: Relation): readonly RowOrder[] {
  const isOrderedBy = (column: string): boolean =>
    order.some((term) => {
      if (term.kind !== 'field' || term.cast !== undefined) return false;
      return term.field.column === column && term.field.path.length === 0 && term.field.score === undefined;
    });
  return relation.primaryKey
    .filter((column) => !isOrderedBy(column))
    .map((column) =>
      planOwnOrder({ field: { column, path: [] }, direction: undefined, nulls: undefined }, { relation }),
    );
}

function describeTerm(term: RowOrder, { embeds }: ReadPlan): readonly unknown[] {
  const embed = term.kind === 'related' ? embeds[term.embed]?.key : undefined;
  const { column, path, score = null } = term.field;
  const steps = path.map(({ arrow, operand }) => [arrow, operand]);
  const cast = term.kind === 'field' && term.cast !== undefined ? [term.cast] : [];
  return [embed, column, ...steps, score, isDescending(term), isNullsFirst(term), ...cast];
}

function readPosition({ tokens }: PageRequest, order: TokenOrder): Result<PagePosition | undefined, ApiError> {
  const [token] = tokens;
  if (token === undefined) return ok(undefined);
  const { direction, text } = token.value;
  const row = tokens.length === 1 ? decodePageToken(order, text) : undefined;
  return row === undefined ? fail({ kind: 'pageTokenInvalid', parameter: direction }) : ok({ direction, ...row });
}

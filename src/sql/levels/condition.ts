// Renders conditions as SQL. Every value becomes a parameter whose type PostgreSQL infers (`reading.md` §5, §6).
import type { ColumnOperator, TextOperator } from '../../contract/operators.ts';
import { assertNever } from '../../contract/result.ts';
import type { Condition, FilterCondition, HavingCondition, RelatedCondition } from '../../plan/levels/read-plan.ts';
import type { IsValue, Operation } from '../../request/query/query-params.ts';
import { asciiSet, escapeAsBytes, escapeAscii, replaceAscii } from '../../util/ascii-text.ts';
import { renderArrayParameter } from '../text/array-literal.ts';
import { quoteQualified } from '../text/identifier.ts';
import { renderAggregate } from './aggregate.ts';
import { renderEmbedSource } from './from.ts';
import { renderSearch } from './full-text.ts';
import { Scope } from './scope.ts';

/** Renders a presence test: whether an embed of the level has rows. */
export type RenderPresence = (embed: number, isPresent: boolean) => string;

type Comparison = FilterCondition | HavingCondition;
type LiteralText = Extract<Operation, { kind: 'literalText' }>;
type Compare = Extract<Operation, { kind: 'compare' }>;

const OPERATORS: Readonly<Record<Compare['operator'], string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'LIKE',
  ilike: 'ILIKE',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
};

const COLUMN_OPERATORS: Readonly<Record<ColumnOperator, string>> = { ...OPERATORS, isdistinct: 'IS DISTINCT FROM' };

/** In their values, `*` stands for any characters. */
const PATTERN_OPERATORS: ReadonlySet<Compare['operator']> = new Set<Compare['operator']>(['like', 'ilike']);

/** The pattern operator, and where any characters may surround the text. */
const TEXT_MATCHES: Readonly<Record<TextOperator, readonly [operator: string, before: string, after: string]>> = {
  starts: ['LIKE', '', '%'],
  ends: ['LIKE', '%', ''],
  has: ['LIKE', '%', '%'],
  istarts: ['ILIKE', '', '%'],
  iends: ['ILIKE', '%', ''],
  ihas: ['ILIKE', '%', '%'],
};

/** What means something in a pattern. */
const WILDCARDS = asciiSet(String.raw`\%_`);
/** Characters of a pattern from which on it is rendered as bytes. */
const LONG = 65_536;
const ENCODER = new TextEncoder();

const IS_TESTS: Readonly<Record<IsValue, string>> = {
  null: 'IS NULL',
  not_null: 'IS NOT NULL',
  true: 'IS TRUE',
  false: 'IS FALSE',
  unknown: 'IS UNKNOWN',
};

export function renderCondition(condition: Condition, scope: Scope, presence: RenderPresence): string {
  switch (condition.kind) {
    case 'filter':
    case 'having': {
      const comparison = renderOperation(condition, scope);
      return condition.negated ? `NOT ${comparison}` : comparison;
    }
    case 'related':
      return renderRelatedTest(condition, scope);
    case 'presence':
      return presence(condition.embed, condition.isPresent);
    case 'group': {
      const members = condition.members.map((member) => renderCondition(member, scope, presence));
      const group = `(${members.join(condition.operator === 'and' ? ' AND ' : ' OR ')})`;
      return condition.negated ? `NOT ${group}` : group;
    }
    default:
      return assertNever(condition);
  }
}

/** Only the member restricts the related rows; the role's privileges and policies apply to them as in any query. */
function renderRelatedTest({ relationship, negated, member }: RelatedCondition, scope: Scope): string {
  const source = renderEmbedSource(relationship, scope, scope.builder);
  const inner = new Scope(scope.builder, source);
  const conditions = [...source.conditions, renderCondition(member, inner, () => 'TRUE')];
  return `${negated ? 'NOT ' : ''}EXISTS (SELECT FROM ${source.from} WHERE ${conditions.join(' AND ')})`;
}

/** Renders what the condition compares. */
function renderSubject(filter: Comparison, scope: Scope): string {
  return filter.kind === 'filter' ? scope.field(filter.field) : renderAggregate(filter.term, scope);
}

function renderOperation(filter: Comparison, scope: Scope): string {
  const field = renderSubject(filter, scope);
  const { operation } = filter;
  switch (operation.kind) {
    case 'compare':
      return `${field} ${OPERATORS[operation.operator]} ${renderOperand(filter, operation, scope)}`;
    case 'literalText':
      return `${field} ${renderTextMatch(operation, scope)}`;
    case 'in':
      return `${field} = ANY (${renderList(filter, operation.values, scope)})`;
    case 'is':
      return `${field} ${IS_TESTS[operation.value]}`;
    case 'isDistinct':
      return `${field} IS DISTINCT FROM ${scope.builder.bind(operation.value)}`;
    case 'compareColumn': {
      const compared = operation.row === 'column' ? scope.field(operation.field) : scope.parentField(operation.field);
      return `${field} ${COLUMN_OPERATORS[operation.operator]} ${compared}`;
    }
    case 'fullText':
      return renderFullText(filter, operation, scope);
    default:
      return assertNever(operation);
  }
}

function renderOperand(filter: Comparison, operation: Compare, scope: Scope): string {
  const isPattern = PATTERN_OPERATORS.has(operation.operator);
  const value = scope.builder.bind(isPattern ? replaceAscii(operation.value, '*', '%') : operation.value);
  const parser = isPattern ? undefined : filter.parser;
  if (operation.quantifier === undefined) return parser ? `${quoteQualified(parser)}(${value})` : value;
  const list = parser ? `SELECT ${quoteQualified(parser)}(unnest(${value}::text[]))` : value;
  return `${operation.quantifier === 'any' ? 'ANY' : 'ALL'} (${list})`;
}

/** A parameter that is the whole pattern lets `starts` use an index. The cast excludes other types that have LIKE. */
function renderTextMatch({ operator, quantifier, value }: LiteralText, scope: Scope): string {
  const [like, before, after] = TEXT_MATCHES[operator];
  if (quantifier === undefined) {
    const pattern =
      value.length < LONG
        ? `${before}${escapeAscii(value, WILDCARDS)}${after}`
        : [ENCODER.encode(before), ...escapeAsBytes(value, WILDCARDS), ENCODER.encode(after)];
    return `${like} ${scope.builder.bind(pattern)}::text`;
  }
  const escaped = String.raw`regexp_replace(unnest(${scope.builder.bind(value)}::text[]), '([\\%_])', '\\\1', 'g')`;
  return `${like} ${quantifier === 'any' ? 'ANY' : 'ALL'} (SELECT '${before}' || ${escaped} || '${after}')`;
}

/** Binds one array literal, so that the statement text does not depend on the number of elements. */
function renderList(filter: Comparison, values: readonly string[], scope: Scope): string {
  const isEmpty = values.length === 0 || (values.length === 1 && values[0] === '');
  const list = scope.builder.bind(renderArrayParameter(isEmpty ? [] : values));
  return filter.parser ? `SELECT ${quoteQualified(filter.parser)}(unnest(${list}::text[]))` : list;
}

function renderFullText(filter: Comparison, operation: Extract<Operation, { kind: 'fullText' }>, scope: Scope): string {
  const field = renderSubject(filter, scope);
  const { vector, query } = renderSearch(operation, { field, toTsvector: filter.toTsvector }, scope.builder);
  return `${vector} @@ ${query}`;
}

// The output columns of a level, in a form that can be shown in a row, lifted into the parent, or grouped.
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { ColumnPlan, SelectPlan } from '../../plan/levels/read-plan.ts';
import { quoteQualified } from '../text/identifier.ts';
import { castTo, renderCall } from './aggregate.ts';
import type { Scope } from './scope.ts';

export interface Output {
  /** Undefined for `*`, whose columns are named by PostgreSQL. */
  readonly key: string | undefined;
  readonly value: string;
  /** The expression that a grouped level groups by; undefined for an aggregate. */
  readonly groupBy: string | undefined;
  /** Applies the aggregate at the level that groups. */
  readonly aggregate: ((value: string) => string) | undefined;
  /** Whether `value` already has the name `key`. */
  readonly isNamed: boolean;
  /** Keys whose values are json, which has no ordering. */
  readonly jsonKeys: readonly string[];
}

export function renderSelectItem(item: SelectPlan, scope: Scope): Output {
  switch (item.kind) {
    case 'all':
      return {
        key: undefined,
        value: scope.star,
        groupBy: undefined,
        aggregate: undefined,
        isNamed: true,
        jsonKeys: [],
      };
    case 'countRows': {
      // Not count(*): when lifted out of a spread, it must count only existing rows.
      const aggregate = (value: string) => castTo(`count(${value})`, item.cast);
      return { key: item.key, value: '1', groupBy: undefined, aggregate, isNamed: false, jsonKeys: [] };
    }
    case 'column':
      return renderColumn(item, scope);
  }
}

function renderColumn(item: ColumnPlan, scope: Scope): Output {
  const field = scope.field(item.field);
  const shown = castTo(item.formatter ? `${quoteQualified(item.formatter)}(${field})` : field, item.cast);
  if (item.aggregate === undefined) {
    const isNamed =
      shown === field &&
      item.field.path.length === 0 &&
      item.key === item.field.column &&
      item.field.score === undefined;
    // A formatted value is json, which has no equality, so the level groups by the stored value.
    const isFormatted = item.formatter !== undefined && item.cast === undefined;
    const groupBy = isFormatted ? field : shown;
    const jsonKeys = isFormatted ? [item.key] : [];
    return { key: item.key, value: shown, groupBy, aggregate: undefined, isNamed, jsonKeys };
  }
  const call = item.aggregate;
  const aggregate = (value: string) => renderCall(call, value);
  return { key: item.key, value: shown, groupBy: undefined, aggregate, isNamed: false, jsonKeys: [] };
}

/**
 * Renders a select list of raw values. To be grouped, formatted values are cast to jsonb, because json has no equality.
 */
export function renderValues(outputs: readonly Output[], form: LevelForm): string {
  return outputs
    .map(({ value, groupBy }) => {
      const isFormatted = groupBy !== undefined && groupBy !== value;
      return form === 'groupable' && isFormatted ? `${value}::jsonb` : value;
    })
    .join(', ');
}

/** Casts formatted values to jsonb, because json has no equality. */
export function makeComparable(output: Output): Output {
  const isFormatted = output.groupBy !== undefined && output.groupBy !== output.value;
  return isFormatted ? { ...output, value: `${output.value}::jsonb` } : output;
}

/** Renders the select list of a row: aggregates are computed and every column is named by its key. */
export function renderSelectList(outputs: readonly Output[]): string {
  return outputs
    .map(({ key, value, aggregate, isNamed }) => {
      const shown = aggregate ? aggregate(value) : value;
      return isNamed || key === undefined ? shown : `${shown} AS ${quoteIdentifier(key)}`;
    })
    .join(', ');
}

/**
 * `row`: columns under their keys. `positional`: raw values that the parent names or aggregates. `groupable`: or groups
 * by. `key`: the values of the level's order.
 */
export type LevelForm = 'row' | 'positional' | 'groupable' | 'key';

export interface RenderedLevel {
  readonly text: string;
  readonly outputs: readonly Output[];
}

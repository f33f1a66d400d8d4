// The output columns of a level, before it is decided where they show: in a row, lifted into the parent, or grouped.
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { ColumnPlan, SelectPlan } from '../../plan/levels/read-plan.ts';
import { quoteQualified } from '../text/identifier.ts';
import type { Scope } from './scope.ts';

export interface Output {
  /** Undefined for a `*`, which names its columns itself. */
  readonly key: string | undefined;
  readonly value: string;
  /** What a grouped level groups by; undefined for an aggregate. */
  readonly groupBy: string | undefined;
  /** Wraps the value in its aggregate at the level that groups. */
  readonly aggregate: ((value: string) => string) | undefined;
  /** `value` already has the name `key`. */
  readonly isNamed: boolean;
  /** Of what is shown, the keys whose values are json, which has no order of its own. */
  readonly jsonKeys: readonly string[];
}

export function renderSelectItem(item: SelectPlan, scope: Scope): Output {
  switch (item.kind) {
    case 'all':
      return {
        key: undefined,
        value: `${scope.ref}.*`,
        groupBy: undefined,
        aggregate: undefined,
        isNamed: true,
        jsonKeys: [],
      };
    case 'countRows': {
      // Not count(*): lifted out of a spread it counts the rows that exist.
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
    const isNamed = shown === field && item.field.path.length === 0 && item.key === item.field.column;
    // A formatted value is json, which has no equality: the stored value groups as well.
    const isFormatted = item.formatter !== undefined && item.cast === undefined;
    const groupBy = isFormatted ? field : shown;
    const jsonKeys = isFormatted ? [item.key] : [];
    return { key: item.key, value: shown, groupBy, aggregate: undefined, isNamed, jsonKeys };
  }
  const { function: name, cast } = item.aggregate;
  const aggregate = (value: string) => castTo(`${name}(${value})`, cast);
  return { key: item.key, value: shown, groupBy: undefined, aggregate, isNamed: false, jsonKeys: [] };
}

function castTo(value: string, type: string | undefined): string {
  return type === undefined ? value : `CAST(${value} AS ${type})`;
}

/** Select list of raw values; a formatted one is json, which cannot be grouped as such. */
export function renderValues(outputs: readonly Output[], form: LevelForm): string {
  return outputs
    .map(({ value, groupBy }) => {
      const isFormatted = groupBy !== undefined && groupBy !== value;
      return form === 'groupable' && isFormatted ? `${value}::jsonb` : value;
    })
    .join(', ');
}

/** Select list of a row: aggregates computed, every column under its key. */
export function renderSelectList(outputs: readonly Output[]): string {
  return outputs
    .map(({ key, value, aggregate, isNamed }) => {
      const shown = aggregate ? aggregate(value) : value;
      return isNamed || key === undefined ? shown : `${shown} AS ${quoteIdentifier(key)}`;
    })
    .join(', ');
}

/** `row`: columns under their keys. `positional`: raw values for the parent to name or aggregate; `groupable`: to group. */
export type LevelForm = 'row' | 'positional' | 'groupable';

export interface RenderedLevel {
  readonly text: string;
  readonly outputs: readonly Output[];
}

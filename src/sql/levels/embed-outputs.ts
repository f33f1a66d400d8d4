// What an embed adds to its parent: columns, a presence test, and values to order by.
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { EmbedPlan, ReadPlan } from '../../plan/levels/read-plan.ts';
import type { Source } from './from.ts';
import type { LevelForm, Output, RenderedLevel } from './output.ts';
import type { RenderedPresence } from './presence.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';

export interface RenderedEmbed extends RenderedPresence {
  readonly outputs: readonly Output[];
  /** Returns an output column of the embed by its key, for related orders. */
  readonly column: (key: string) => string;
}

export interface LevelPlace {
  readonly source: Source;
  readonly builder: StatementBuilder;
}

export interface EmbedUse {
  /** The type of the embed's value. Grouping requires jsonb, because json has no equality. */
  readonly nestedType: 'json' | 'jsonb';
  /** The form in which the columns of a spread are lifted. */
  readonly liftedForm: Exclude<LevelForm, 'row' | 'key'>;
  /** Whether the parent orders by the embed. */
  readonly isOrderedBy: boolean;
  /** How many conditions of the parent test the presence of the embed. */
  readonly testCount: number;
  /** Renders the embed's own level, recursively. */
  readonly renderLevel: (plan: ReadPlan, place: LevelPlace, form: LevelForm) => RenderedLevel;
}

export function nestOutput(embed: EmbedPlan, json: string, use: EmbedUse): readonly Output[] {
  if (embed.shape !== 'nested') return [];
  const value = asNested(json, use);
  return [{ key: embed.key, value, groupBy: value, aggregate: undefined, isNamed: false, jsonKeys: [embed.key] }];
}

function asNested(json: string, { nestedType }: EmbedUse): string {
  return nestedType === 'jsonb' ? `${json}::jsonb` : json;
}

/** Returns the columns of a spread as columns of the parent, which computes their aggregates. */
export function liftOutputs(outputs: readonly Output[], ref: string, names: readonly string[]): readonly Output[] {
  if (names.length === 0 && outputs.length > 0)
    return [
      {
        key: undefined,
        value: `${ref}.*`,
        groupBy: undefined,
        aggregate: undefined,
        isNamed: true,
        jsonKeys: outputs.flatMap(({ jsonKeys }) => jsonKeys),
      },
    ];
  return outputs.map(({ key, aggregate, jsonKeys }, position) => {
    const value = `${ref}."${names[position] ?? ''}"`;
    return { key, value, groupBy: aggregate ? undefined : value, aggregate, isNamed: false, jsonKeys };
  });
}

export function nameColumns(outputs: readonly Output[]): readonly string[] {
  return outputs.map((_, position) => `c${position + 1}`);
}

export function renderColumnNames(names: readonly string[]): string {
  return names.length === 0 ? '' : `(${names.map((name) => `"${name}"`).join(', ')})`;
}

/** Returns the last column with this key; json is cast to jsonb, which can be ordered. */
export function renderOrderable(outputs: readonly Output[], names: readonly string[], key: string): string {
  const position = outputs.findLastIndex((output) => output.key === key);
  const column = quoteIdentifier(names[position] ?? key);
  const candidates = position === -1 ? outputs : outputs.slice(position, position + 1);
  return candidates.some(({ jsonKeys }) => jsonKeys.includes(key)) ? `${column}::jsonb` : column;
}

export interface JoinedColumns {
  readonly ref: string;
  readonly names: readonly string[];
}

/** Returns the arrays that a spread of several rows shows. */
export function liftArrays(
  outputs: readonly Output[],
  { ref, names }: JoinedColumns,
  use: EmbedUse,
): readonly Output[] {
  return outputs.map(({ key }, position) => {
    const value = asNested(`COALESCE(${ref}."${names[position] ?? ''}", '[]')`, use);
    return { key, value, groupBy: value, aggregate: undefined, isNamed: false, jsonKeys: [key ?? ''] };
  });
}

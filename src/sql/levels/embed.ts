// Renders an embed as a lateral join, with its columns and its presence test for the parent (`reading.md` §12, §13).
import { quoteIdentifier } from '../../contract/identifiers.ts';
import { type EmbedPlan, hasStar, type ReadPlan } from '../../plan/levels/read-plan.ts';
import { FULL_RANGE } from '../../request/range.ts';
import { renderEmbedSource, renderUnjoinedSource, type Source } from './from.ts';
import type { LevelForm, Output, RenderedLevel } from './output.ts';
import { renderHasRows, renderPresence, type RenderedPresence } from './presence.ts';
import type { Scope } from './scope.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';

export interface RenderedEmbed extends RenderedPresence {
  readonly outputs: readonly Output[];
  /** Returns an output column of the embed by its key, for related orders. */
  readonly column: (key: string) => string;
}

/** The source of a level and the builder of the statement that contains it. */
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

export function renderEmbed(embed: EmbedPlan, parent: Scope, use: EmbedUse): RenderedEmbed {
  if (isOnlyTested(embed, use)) return renderPresenceTest(embed, parent, use);
  if (embed.isApart === true) return renderApart(embed, parent, use);
  if (embed.isToOne) return renderToOne(embed, parent, use);
  return embed.shape === 'spread' ? renderToManySpread(embed, parent, use) : renderToMany(embed, parent, use);
}

/**
 * Computed to-one embeds are excluded: the function may return several rows, each of which repeats its parent
 * (`reading.md` §10.4).
 */
function isOnlyTested({ shape, isToOne, relationship }: EmbedPlan, { isOrderedBy }: EmbedUse): boolean {
  return shape === 'hidden' && !isOrderedBy && !(isToOne && relationship.kind === 'computed');
}

function renderPresenceTest(embed: EmbedPlan, parent: Scope, use: EmbedUse): RenderedEmbed {
  const { builder } = parent;
  const renderQuery = ({ read }: EmbedPlan, source: Source) => use.renderLevel(read, { source, builder }, 'row').text;
  const isRequired = embed.join === 'inner';
  const rendered =
    isRequired || use.testCount > 0
      ? renderPresence({ isRequired, testCount: use.testCount }, builder, () =>
          renderHasRows(embed, parent, renderQuery),
        )
      : renderUnusedEmbed(
          embed.read,
          renderQuery(embed, renderEmbedSource(embed.relationship, parent, builder)),
          builder,
        );
  return { outputs: [], column: quoteIdentifier, ...rendered };
}

/** Renders an embed that never runs, so that PostgreSQL still checks its names, values and privileges. */
function renderUnusedEmbed(read: ReadPlan, query: string, builder: StatementBuilder): RenderedPresence {
  const presence = () => 'TRUE';
  if (hasNegativeLimit(read)) return { join: '', condition: `EXISTS (${query}) IS NOT NULL`, presence };
  return { join: `LEFT JOIN LATERAL (${query}) AS ${builder.alias()} ON FALSE`, condition: undefined, presence };
}

/** PostgreSQL rejects a negative limit only when the query runs. */
function hasNegativeLimit({ range, embeds }: ReadPlan): boolean {
  return (range.limit ?? 0) < 0 || embeds.some(({ read }) => hasNegativeLimit(read));
}

function renderToOne(embed: EmbedPlan, parent: Scope, use: EmbedUse): RenderedEmbed {
  const { builder } = parent;
  const source = renderEmbedSource(embed.relationship, parent, builder);
  const isSpread = embed.shape === 'spread';
  const isPositional = isSpread && !hasStar(embed.read);
  const level = use.renderLevel(ensureColumns(embed), { source, builder }, isPositional ? use.liftedForm : 'row');
  const ref = use.isOrderedBy ? builder.embedAlias(orderedName(embed), source.depth) : builder.alias();
  const names = isPositional ? nameColumns(level.outputs) : [];
  const join = embed.join === 'inner' ? 'INNER' : 'LEFT';
  return {
    join: `${join} JOIN LATERAL (${level.text}) AS ${ref}${renderColumnNames(names)} ON TRUE`,
    condition: undefined,
    outputs: isSpread
      ? liftOutputs(level.outputs, ref, names).filter(({ key }) => key === undefined || !embed.orderKeys.includes(key))
      : nestOutput(embed, renderObject(embed, ref, builder), use),
    presence: (isPresent) => `(${ref}.*) IS ${isPresent ? '' : 'NOT '}DISTINCT FROM NULL`,
    column: (key) => `${ref}.${renderOrderable(level.outputs, names, key)}`,
  };
}

/** PostgreSQL's errors about the order show it: `boats_captain_1` (`reading.md` §17.3). */
function orderedName({ relationship, key }: EmbedPlan): string {
  return `${relationship.origin.name}_${key}`;
}

function renderObject({ orderKeys }: EmbedPlan, ref: string, builder: StatementBuilder): string {
  const object = `row_to_json(${ref}.*)`;
  if (orderKeys.length === 0) return object;
  return `(${[`${object}::jsonb`, ...orderKeys.map((key) => `${builder.bind(key)}::text`)].join(' - ')})`;
}

function renderToMany(embed: EmbedPlan, parent: Scope, use: EmbedUse): RenderedEmbed {
  const { builder } = parent;
  const source = renderEmbedSource(embed.relationship, parent, builder);
  const level = use.renderLevel(embed.read, { source, builder }, 'row');
  const rows = builder.alias();
  const ref = builder.alias();
  return {
    outputs: nestOutput(embed, `COALESCE(${ref}."v", '[]')`, use),
    ...joinAggregate(
      embed,
      ref,
      `SELECT json_agg(${rows}.*) AS "v" FROM (${renderOrderedRows(level.text, embed.read)}) AS ${rows}`,
    ),
  };
}

/**
 * Renders the rows of a level that are aggregated one after the other. Without OFFSET, which PostgreSQL drops from its
 * plan, Citus would aggregate the rows of each shard and join the results, whatever their order.
 */
export function renderOrderedRows(text: string, { order, range, fence }: ReadPlan): string {
  const isLoose = range.limit === undefined && range.offset === 0;
  return isLoose && (order.length > 0 || fence !== undefined) ? `${text} OFFSET 0` : text;
}

/**
 * Renders the rows of all parents as one table, which is joined by the columns of the relationship: `k…` are its keys,
 * `n` the place among the rows of one parent, `c…` the outputs. Without OFFSET, Citus would look for the rows of a parent
 * on its own node.
 */
function renderApart(embed: EmbedPlan, parent: Scope, use: EmbedUse): RenderedEmbed {
  const { builder } = parent;
  const { read, isToOne, shape, orderKeys } = embed;
  const { source, pairs } = renderUnjoinedSource(embed.relationship, parent, builder);
  const { offset, limit } = read.range;
  const lead = pairs.map(([own]) => own);
  const isPlaced = !isToOne && (read.order.length > 0 || limit !== undefined || offset !== 0);
  const place = (order: string): string =>
    `row_number() OVER (PARTITION BY ${lead.join(', ')}${order === '' ? '' : ` ${order}`})`;
  const form = isToOne && shape === 'spread' ? use.liftedForm : 'row';
  const level = use.renderLevel(
    { ...read, range: FULL_RANGE },
    { source: { ...source, lead, ...(isPlaced && { place }) }, builder },
    form,
  );
  const [rows, ref] = [builder.alias(), builder.alias()];
  const keys = pairs.map((_, index) => `k${index + 1}`);
  const names = nameColumns(level.outputs);
  const columns = renderColumnNames([...keys, ...(isPlaced ? ['n'] : []), ...names]);
  const shown = level.outputs.flatMap(({ key }, index) =>
    key === undefined || (orderKeys.includes(key) && shape !== 'hidden') ? [] : [[key, names[index] ?? ''] as const],
  );
  const record =
    `(SELECT "r" FROM (SELECT ${shown.map(([, name]) => `${rows}."${name}"`).join(', ')}) ` +
    `AS "r"(${shown.map(([key]) => quoteIdentifier(key)).join(', ')}))`;
  const order = isPlaced ? ` ORDER BY ${rows}."n"` : '';
  const values = isToOne
    ? [`${rows}.*`, ...(shape === 'nested' ? [`row_to_json(${record}) AS "v"`] : [])]
    : [
        ...keys.map((key) => `${rows}."${key}"`),
        ...(shape === 'spread'
          ? ['count(*) AS "v"', ...names.map((name) => `json_agg(${rows}."${name}"${order}) AS "${name}"`)]
          : [`json_agg(${record}${order}) AS "v"`]),
      ];
  const isInRange = [
    ...(offset === 0 ? [] : [`${rows}."n" > ${builder.bind(String(offset))}`]),
    ...(limit === undefined ? [] : [`${rows}."n" <= ${builder.bind(String(offset + limit))}`]),
  ];
  const table = [
    `SELECT ${values.join(', ')} FROM (${level.text} OFFSET 0) AS ${rows}${columns}`,
    ...(isPlaced && isInRange.length > 0 ? [`WHERE ${isInRange.join(' AND ')}`] : []),
    ...(isToOne ? [] : [`GROUP BY ${keys.map((key) => `${rows}."${key}"`).join(', ')}`]),
  ].join(' ');
  const equal = pairs.map(([, value], index) => `${ref}."${keys[index] ?? ''}" = ${value}`).join(' AND ');
  return {
    join: `${embed.join === 'inner' ? 'INNER' : 'LEFT'} JOIN (${table}) AS ${ref} ON ${equal}`,
    condition: undefined,
    outputs: renderApartOutputs(embed, { ref, names, outputs: level.outputs }, use),
    presence: (isPresent) => `${ref}."${isToOne ? 'k1' : 'v'}" IS ${isPresent ? 'NOT ' : ''}NULL`,
    column: (key) => `${ref}.${renderOrderable(level.outputs, names, key)}`,
  };
}

interface ApartTable {
  readonly ref: string;
  readonly names: readonly string[];
  readonly outputs: readonly Output[];
}

function renderApartOutputs(embed: EmbedPlan, { ref, names, outputs }: ApartTable, use: EmbedUse): readonly Output[] {
  if (embed.shape !== 'spread')
    return nestOutput(embed, embed.isToOne ? `${ref}."v"` : `COALESCE(${ref}."v", '[]')`, use);
  if (!embed.isToOne) return liftArrays(outputs, { ref, names }, use);
  return liftOutputs(outputs, ref, names).filter(({ key }) => key === undefined || !embed.orderKeys.includes(key));
}

/** Aggregates every output column into an array; all arrays of one spread share the order of its rows. */
function renderToManySpread(embed: EmbedPlan, parent: Scope, use: EmbedUse): RenderedEmbed {
  const { builder } = parent;
  const source = renderEmbedSource(embed.relationship, parent, builder);
  const level = use.renderLevel(embed.read, { source, builder }, 'positional');
  const rows = builder.alias();
  const ref = builder.alias();
  const names = nameColumns(level.outputs);
  const arrays = names.map((name) => `json_agg(${rows}."${name}") AS "${name}"`);
  const aggregate =
    `SELECT ${['NULLIF(count(*), 0) AS "v"', ...arrays].join(', ')} ` +
    `FROM (${renderOrderedRows(level.text, embed.read)}) AS ${rows}${renderColumnNames(names)}`;
  return {
    outputs: liftArrays(level.outputs, { ref, names }, use),
    ...joinAggregate(embed, ref, aggregate),
  };
}

function liftArrays(
  outputs: readonly Output[],
  { ref, names }: Pick<ApartTable, 'ref' | 'names'>,
  use: EmbedUse,
): readonly Output[] {
  return outputs.map(({ key }, position) => {
    const value = asNested(`COALESCE(${ref}."${names[position] ?? ''}", '[]')`, use);
    return { key, value, groupBy: value, aggregate: undefined, isNamed: false, jsonKeys: [key ?? ''] };
  });
}

function joinAggregate(embed: EmbedPlan, ref: string, aggregate: string): Omit<RenderedEmbed, 'outputs'> {
  const join =
    embed.join === 'inner'
      ? `INNER JOIN LATERAL (${aggregate}) AS ${ref} ON ${ref}."v" IS NOT NULL`
      : `LEFT JOIN LATERAL (${aggregate}) AS ${ref} ON TRUE`;
  return {
    join,
    condition: undefined,
    presence: (isPresent) => `${ref}."v" IS ${isPresent ? 'NOT ' : ''}NULL`,
    column: quoteIdentifier,
  };
}

function nestOutput(embed: EmbedPlan, json: string, use: EmbedUse): readonly Output[] {
  if (embed.shape !== 'nested') return [];
  const value = asNested(json, use);
  return [{ key: embed.key, value, groupBy: value, aggregate: undefined, isNamed: false, jsonKeys: [embed.key] }];
}

function asNested(json: string, { nestedType }: EmbedUse): string {
  return nestedType === 'jsonb' ? `${json}::jsonb` : json;
}

/** A to-one embed that selects nothing keeps its own columns, because the parent can still order by them. */
function ensureColumns(embed: EmbedPlan): ReadPlan {
  const isEmpty = embed.shape === 'hidden' && embed.read.select.length === 0;
  return isEmpty ? { ...embed.read, select: [{ kind: 'all' }] } : embed.read;
}

/** Returns the columns of a spread as columns of the parent, which computes their aggregates. */
function liftOutputs(outputs: readonly Output[], ref: string, names: readonly string[]): readonly Output[] {
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

function nameColumns(outputs: readonly Output[]): readonly string[] {
  return outputs.map((_, position) => `c${position + 1}`);
}

function renderColumnNames(names: readonly string[]): string {
  return names.length === 0 ? '' : `(${names.map((name) => `"${name}"`).join(', ')})`;
}

/** Returns the last column with this key; json is cast to jsonb, which can be ordered. */
function renderOrderable(outputs: readonly Output[], names: readonly string[], key: string): string {
  const position = outputs.findLastIndex((output) => output.key === key);
  const column = quoteIdentifier(names[position] ?? key);
  const candidates = position === -1 ? outputs : outputs.slice(position, position + 1);
  return candidates.some(({ jsonKeys }) => jsonKeys.includes(key)) ? `${column}::jsonb` : column;
}

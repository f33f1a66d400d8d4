// Renders an embed as a lateral join, with its columns and its presence test for the parent (`reading.md` §12, §13).
import { quoteIdentifier } from '../../contract/identifiers.ts';
import { type EmbedPlan, hasStar, type ReadPlan } from '../../plan/levels/read-plan.ts';
import { renderApart } from './embed-apart.ts';
import {
  type EmbedUse,
  liftArrays,
  liftOutputs,
  nameColumns,
  nestOutput,
  renderColumnNames,
  type RenderedEmbed,
  renderOrderable,
} from './embed-outputs.ts';
import { renderEmbedSource, type Source } from './from.ts';
import { renderHasRows, renderPresence, type RenderedPresence } from './presence.ts';
import type { Scope } from './scope.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';

export function renderEmbed(embed: EmbedPlan, parent: Scope, use: EmbedUse): RenderedEmbed {
  // Computed to-one embeds are excluded: the function may return several rows, each of which repeats its parent
  // (`reading.md` §10.4).
  if (embed.shape === 'hidden' && !use.isOrderedBy && !(embed.isToOne && embed.relationship.kind === 'computed'))
    return renderPresenceTest(embed, parent, use);
  if (embed.isApart === true) return renderApart(embed, parent, use);
  if (embed.isToOne) return renderToOne(embed, parent, use);
  return embed.shape === 'spread' ? renderToManySpread(embed, parent, use) : renderToMany(embed, parent, use);
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
  // A to-one embed that selects nothing keeps its own columns, because the parent can still order by them.
  const isEmpty = embed.shape === 'hidden' && embed.read.select.length === 0;
  const level = use.renderLevel(
    isEmpty ? { ...embed.read, select: [{ kind: 'all' }] } : embed.read,
    { source, builder },
    isPositional ? use.liftedForm : 'row',
  );
  // PostgreSQL's errors about the order show it: `boats_captain_1` (`reading.md` §17.3).
  const ref = use.isOrderedBy
    ? builder.embedAlias(`${embed.relationship.origin.name}_${embed.key}`, source.depth)
    : builder.alias();
  const names = isPositional ? nameColumns(level.outputs) : [];
  const presence = (isPresent: boolean): string => `(${ref}.*) IS ${isPresent ? '' : 'NOT '}DISTINCT FROM NULL`;
  // Citus flattens an inner join, and then the names of the columns are lost.
  const isTested = embed.join === 'inner' && parent.isFenced;
  const join = embed.join === 'inner' && !isTested ? 'INNER' : 'LEFT';
  return {
    join: `${join} JOIN LATERAL (${level.text}) AS ${ref}${renderColumnNames(names)} ON TRUE`,
    condition: isTested ? presence(true) : undefined,
    outputs: isSpread
      ? liftOutputs(level.outputs, ref, names).filter(({ key }) => key === undefined || !embed.orderKeys.includes(key))
      : nestOutput(embed, renderObject(embed, ref, builder), use),
    presence,
    column: (key) => `${ref}.${renderOrderable(level.outputs, names, key)}`,
  };
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

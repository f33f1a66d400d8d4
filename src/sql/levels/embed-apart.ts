// Renders an embed whose rows may lie on other servers than their parents.
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { EmbedPlan } from '../../plan/levels/read-plan.ts';
import { FULL_RANGE } from '../../request/range.ts';
import {
  type EmbedUse,
  type JoinedColumns,
  liftArrays,
  liftOutputs,
  nameColumns,
  nestOutput,
  renderColumnNames,
  type RenderedEmbed,
  renderOrderable,
} from './embed-outputs.ts';
import { renderUnjoinedSource } from './from.ts';
import type { Output, RenderedLevel } from './output.ts';
import type { Scope } from './scope.ts';

/**
 * Renders the rows of all parents as one table, which is joined by the columns of the relationship: `k…` are its keys,
 * `n` the place among the rows of one parent, `c…` the outputs. Without OFFSET, Citus would look for the rows of a parent
 * on its own node.
 */
export function renderApart(embed: EmbedPlan, parent: Scope, use: EmbedUse): RenderedEmbed {
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
    // PostgreSQL refuses a negative limit.
    limit !== undefined && limit < 0 ? read : { ...read, range: FULL_RANGE },
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
  const join = `JOIN (${table}) AS ${ref} ON ${equal}`;
  // Such a level without groups has a row for each parent, even for one without related rows.
  if (
    shape === 'nested' &&
    read.isGrouped &&
    level.outputs.every(({ aggregate }) => aggregate !== undefined) &&
    offset === 0 &&
    limit !== 0
  ) {
    const none = builder.alias();
    const empty = use.renderLevel(read, { source: { ...source, conditions: ['FALSE'] }, builder }, 'row').text;
    return {
      join: `CROSS JOIN (SELECT json_agg("r".*) AS "v" FROM (${empty} OFFSET 0) AS "r") AS ${none} LEFT ${join}`,
      condition: undefined,
      outputs: nestOutput(embed, `COALESCE(${ref}."v", ${none}."v")`, use),
      presence: String,
      column: quoteIdentifier,
    };
  }
  return {
    join: `${embed.join === 'inner' ? 'INNER' : 'LEFT'} ${join}`,
    condition: undefined,
    outputs: renderApartOutputs(embed, { ref, names, outputs: level.outputs }, use),
    presence: (isPresent) => `${ref}."${isToOne ? 'k1' : 'v'}" IS ${isPresent ? 'NOT ' : ''}NULL`,
    column: (key) => `${ref}.${renderOrderable(level.outputs, names, key)}`,
  };
}

function renderApartOutputs(
  embed: EmbedPlan,
  { ref, names, outputs }: JoinedColumns & Pick<RenderedLevel, 'outputs'>,
  use: EmbedUse,
): readonly Output[] {
  if (embed.shape !== 'spread')
    return nestOutput(embed, embed.isToOne ? `${ref}."v"` : `COALESCE(${ref}."v", '[]')`, use);
  if (!embed.isToOne) return liftArrays(outputs, { ref, names }, use);
  return liftOutputs(outputs, ref, names).filter(({ key }) => key === undefined || !embed.orderKeys.includes(key));
}

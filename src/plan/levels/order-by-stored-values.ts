// Related orders by a column with a formatter: the embed passes the stored value to its parent, beside the formatted
// value (`reading.md` §12.9, §19).
import { type EmbedPlan, hasStar, type OrderPlan, type ReadPlan } from './read-plan.ts';

type Ordered = Pick<ReadPlan, 'embeds' | 'order'>;

export function orderByStoredValues({ embeds, order }: Ordered): Ordered {
  const extended = [...embeds];
  const terms = order.map((term, position): OrderPlan => {
    const embed = term.kind === 'related' && term.field.path.length === 0 ? extended[term.embed] : undefined;
    if (term.kind !== 'related' || embed === undefined) return term;
    const key = `:stored${position}`;
    const withStored = addStoredValue(embed, term.field.column, key);
    if (withStored === undefined) return term;
    extended[term.embed] = withStored;
    return { ...term, field: { ...term.field, column: key } };
  });
  return { embeds: extended, order: terms };
}

/** @returns undefined if the column is shown as stored, or if a `*` would also expose the stored value */
function addStoredValue(embed: EmbedPlan, shown: string, key: string): EmbedPlan | undefined {
  if (embed.shape === 'spread' && hasStar(embed.read)) return undefined;
  const read = addStoredColumn(embed.read, shown, key);
  return read && { ...embed, read, orderKeys: [...embed.orderKeys, key] };
}

function addStoredColumn(read: ReadPlan, shown: string, key: string): ReadPlan | undefined {
  const column = read.select.findLast((item) => item.kind === 'column' && item.key === shown);
  if (column?.kind === 'column') {
    const isConverted = column.formatter !== undefined && column.cast === undefined;
    return isConverted ? { ...read, select: [...read.select, { ...column, key, formatter: undefined }] } : undefined;
  }
  for (const [position, embed] of read.embeds.entries()) {
    const lifted = embed.shape === 'spread' && embed.isToOne ? addStoredColumn(embed.read, shown, key) : undefined;
    if (lifted !== undefined) return { ...read, embeds: read.embeds.with(position, { ...embed, read: lifted }) };
  }
  return undefined;
}

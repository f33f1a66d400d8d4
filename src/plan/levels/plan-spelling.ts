// Decides whether the top level's rows can be sent as values that the server writes as JSON, and which of the values
// PostgreSQL must write itself (`docs/decisions/row-form.md`).
import { findRelation, type SchemaCache } from '../../catalog/schema-cache.ts';
import type { ColumnPlan, EmbedPlan, ReadPlan, SelectPlan } from './read-plan.ts';

export interface SpelledColumn {
  readonly key: string;
  /** Whether PostgreSQL writes the value as JSON, because the server cannot. */
  readonly needsJson: boolean;
}

/** `asTheyAre`: the server can spell all columns, whatever their names. */
export type Spelling =
  | { readonly kind: 'asTheyAre' }
  | { readonly kind: 'named'; readonly columns: readonly SpelledColumn[] };

/** PostgreSQL's limit is 1,664, including the columns about the result. */
const MAX_COLUMNS = 1600;

/** Returns undefined if PostgreSQL must write whole rows. */
export function planSpelling(read: ReadPlan, cache: SchemaCache): Spelling | undefined {
  const columns = spellLevel(read, cache);
  if (columns.length > MAX_COLUMNS) return undefined;
  if (!columns.some(({ needsJson }) => needsJson)) return { kind: 'asTheyAre' };
  const keys = new Set(columns.map(({ key }) => key));
  const areNames = keys.size === columns.length && columns.every(({ key }) => key !== STAR && isName(key));
  return areNames ? { kind: 'named', columns } : undefined;
}

/** PostgreSQL shortens longer names, and then several could be the same. A character takes at most 3 bytes. */
function isName(key: string): boolean {
  return key.length * (/^[ -~]*$/u.test(key) ? 1 : 3) <= 63;
}

/** Stands for the columns of a `*`, which are named by PostgreSQL. */
const STAR = '*';

function spellLevel(read: ReadPlan, cache: SchemaCache): readonly SpelledColumn[] {
  return [
    ...read.select.flatMap((item) => spellItem(item, read, cache)),
    ...read.embeds.flatMap((embed) => spellEmbed(embed, cache)),
  ];
}

function spellItem(item: SelectPlan, read: ReadPlan, cache: SchemaCache): readonly SpelledColumn[] {
  if (item.kind === 'all') {
    const columns = findRelation(cache, read.relation)?.columns;
    return columns === undefined
      ? [{ key: STAR, needsJson: true }]
      : Array.from(columns.values(), ({ isSpelled }) => ({ key: STAR, needsJson: !isSpelled }));
  }
  const { key } = item;
  if (item.kind === 'countRows') return [{ key, needsJson: item.cast !== undefined }];
  return [{ key, needsJson: !isSpelled(item, read, cache) }];
}

/** Where the type is uncertain, PostgreSQL writes the value: the server would have to read all rows again. */
function isSpelled({ field, cast, formatter, aggregate }: ColumnPlan, read: ReadPlan, cache: SchemaCache): boolean {
  if (aggregate !== undefined) return aggregate.function === 'count' && aggregate.cast === undefined;
  if (cast !== undefined) return SPELLED_CASTS.has(cast);
  // Formatters and paths return json or text, scores return numbers.
  if (formatter !== undefined || field.path.length > 0 || field.score !== undefined) return true;
  return findRelation(cache, read.relation)?.columns.get(field.column)?.isSpelled === true;
}

/** Names of built-in types, which PostgreSQL finds before all others. */
const SPELLED_CASTS: ReadonlySet<string> = new Set(
  (
    'text varchar uuid json jsonb date timestamp timestamptz interval bool boolean ' +
    'int int2 int4 int8 integer bigint smallint numeric float4 float8 real'
  ).split(' '),
);

function spellEmbed(embed: EmbedPlan, cache: SchemaCache): readonly SpelledColumn[] {
  if (embed.shape === 'hidden') return [];
  if (embed.shape === 'nested') return [{ key: embed.key, needsJson: false }];
  const lifted = spellLevel(embed.read, cache).filter(({ key }) => !embed.orderKeys.includes(key));
  // The values of related rows are arrays of json.
  return embed.isToOne ? lifted : lifted.map(({ key }) => ({ key, needsJson: false }));
}

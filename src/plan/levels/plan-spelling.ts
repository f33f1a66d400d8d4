// Decides whether the top level's rows can be sent as values that the server writes as JSON, and which of the values
// PostgreSQL must write itself (`docs/decisions/row-form.md`).
import { findRelation, type Relation, type SchemaCache } from '../../catalog/schema-cache.ts';
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

export interface PlannedSpelling {
  readonly spelling: Spelling;
  readonly columnCount: number;
}

/** PostgreSQL's limit is 1,664, including the columns about the result. */
const MAX_COLUMNS = 1600;

type Columns = Relation['columns'];

/**
 * Returns undefined if PostgreSQL must write whole rows.
 *
 * @param known columns of the top level
 */
export function planSpelling(read: ReadPlan, known: Columns, cache: SchemaCache): PlannedSpelling | undefined {
  const columns = spellLevel(read, known, cache);
  const columnCount = columns.length;
  if (columnCount > MAX_COLUMNS) return undefined;
  if (!columns.some(({ needsJson }) => needsJson)) return { spelling: { kind: 'asTheyAre' }, columnCount };
  const keys = new Set(columns.map(({ key }) => key));
  // PostgreSQL shortens longer names, and then several could be the same. A character takes at most 3 bytes.
  const areNames =
    keys.size === columnCount &&
    columns.every(({ key }) => key !== STAR && key.length * (/^[ -~]*$/u.test(key) ? 1 : 3) <= 63);
  return areNames ? { spelling: { kind: 'named', columns }, columnCount } : undefined;
}

/** Stands for the columns of a `*`, which are named by PostgreSQL. */
const STAR = '*';

function spellLevel(read: ReadPlan, known: Columns | undefined, cache: SchemaCache): readonly SpelledColumn[] {
  return [
    ...read.select.flatMap((item) => spellItem(item, known)),
    ...read.embeds.flatMap((embed) => spellEmbed(embed, cache)),
  ];
}

function spellItem(item: SelectPlan, known: Columns | undefined): readonly SpelledColumn[] {
  if (item.kind === 'all') {
    return known === undefined
      ? [{ key: STAR, needsJson: true }]
      : Array.from(known.values(), ({ isSpelled }) => ({ key: STAR, needsJson: !isSpelled }));
  }
  const { key } = item;
  if (item.kind === 'countRows') return [{ key, needsJson: item.cast !== undefined }];
  return [{ key, needsJson: !isSpelled(item, known) }];
}

/** Where the type is uncertain, PostgreSQL writes the value: the server would have to read all rows again. */
function isSpelled({ field, cast, formatter, aggregate }: ColumnPlan, known: Columns | undefined): boolean {
  if (aggregate !== undefined) return aggregate.function === 'count' && aggregate.cast === undefined;
  if (cast !== undefined) return isSpelledType(cast);
  // Formatters and paths return json or text, scores return numbers.
  if (formatter !== undefined || field.path.length > 0 || field.score !== undefined) return true;
  return known?.get(field.column)?.isSpelled === true;
}

/** Names of built-in types, which PostgreSQL finds before all others. */
const SPELLED_TYPES: ReadonlySet<string> = new Set([
  'character varying',
  'double precision',
  'timestamp with time zone',
  'timestamp without time zone',
  ...(
    'text varchar uuid json jsonb date timestamp timestamptz interval bool boolean ' +
    'int int2 int4 int8 integer bigint smallint numeric float4 float8 real'
  ).split(' '),
]);

/** @param name of a type, as users or PostgreSQL write it */
export function isSpelledType(name: string): boolean {
  return SPELLED_TYPES.has(name);
}

function spellEmbed(embed: EmbedPlan, cache: SchemaCache): readonly SpelledColumn[] {
  if (embed.shape === 'hidden') return [];
  if (embed.shape === 'nested') return [{ key: embed.key, needsJson: false }];
  const known = findRelation(cache, embed.read.relation)?.columns;
  const lifted = spellLevel(embed.read, known, cache).filter(({ key }) => !embed.orderKeys.includes(key));
  // The values of related rows are arrays of json.
  return embed.isToOne ? lifted : lifted.map(({ key }) => ({ key, needsJson: false }));
}

// Decodes rows of the statement `columns` into the columns of each relation, by relation oid.
import { type CatalogRow, flagAt, numberAt, optionalTextAt, textAt, textsAt } from './catalog-rows.ts';
import { getOrInsert } from './maps.ts';
import type { Column } from './schema-cache.ts';
import { type Slices, visitInSlices } from '../util/slices.ts';

export interface RelationColumns {
  /** In attribute order. */
  readonly byName: ReadonlyMap<string, Column>;
  /** Names by attribute number; undefined at the numbers of dropped columns. */
  readonly names: readonly (string | undefined)[];
}

/** Stores equal texts once: a large schema repeats its types, defaults, labels and most column names. */
interface InternedValues {
  readonly texts: Map<string, string>;
  readonly labels: Map<string, readonly string[]>;
}

export const NO_COLUMNS: RelationColumns = { byName: new Map(), names: [] };

const NO_LABELS: readonly string[] = [];

export function* decodeColumns(rows: readonly CatalogRow[]): Slices<ReadonlyMap<string, RelationColumns>> {
  const relations = new Map<string, { byName: Map<string, Column>; names: (string | undefined)[] }>();
  const interned: InternedValues = { texts: new Map(), labels: new Map() };
  yield* visitInSlices(rows, (row) => {
    const column = decodeColumn(row, interned);
    const relation = getOrInsert(relations, textAt(row, 0), () => ({
      byName: new Map<string, Column>(),
      names: [],
    }));
    relation.byName.set(column.name, column);
    relation.names[numberAt(row, 1)] = column.name;
  });
  return relations;
}

function decodeColumn(row: CatalogRow, { texts, labels }: InternedValues): Column {
  const intern = (text: string): string => getOrInsert(texts, text, () => text);
  const [maxLength, expression, enumLabels] = [7, 8, 9].map((index) => optionalTextAt(row, index));
  return {
    name: intern(textAt(row, 2)),
    comment: optionalTextAt(row, 3),
    isNullable: flagAt(row, 4),
    type: intern(textAt(row, 5)),
    nominalType: intern(textAt(row, 6)),
    maxLength: maxLength === undefined ? undefined : Number(maxLength),
    defaultExpression: expression === undefined ? undefined : intern(expression),
    enumLabels: enumLabels === undefined ? NO_LABELS : getOrInsert(labels, enumLabels, () => textsAt(row, 9)),
    isGenerated: flagAt(row, 10),
    isSpelled: flagAt(row, 11),
  };
}

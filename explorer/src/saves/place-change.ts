// What a new description of the schema means for the place that is open.
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import { parseTarget } from '../../../src/request/target.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Place } from '../url-state/place.ts';

export interface PlaceChange {
  /** `orders` */
  readonly name: string;
  readonly kind: 'gone' | 'changed';
  /** Names of columns. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * Returns undefined if the place shows the same table or function as before, or none. What another role may use differs
 * without a save.
 */
export function findPlaceChange(before: SchemaIndex, after: SchemaIndex, place: Place): PlaceChange | undefined {
  if (!('url' in place)) return undefined;
  const { schema, role } = before.document;
  if (schema !== after.document.schema || role !== after.document.role) return undefined;
  const target = parseTarget(place.url.split('?', 1)[0] ?? '');
  if (!target.ok || target.value.kind === 'root') return undefined;
  const { kind, name } = target.value;
  const [old, now] = [before, after].map((index) =>
    kind === 'relation' ? index.relations.get(name) : index.functions.get(name),
  );
  if (old === undefined || JSON.stringify(old) === JSON.stringify(now)) return undefined;
  if (now === undefined) return { name, kind: 'gone', removed: [], added: [] };
  const [oldColumns, newColumns] = [columnsOf(before, name, kind), columnsOf(after, name, kind)];
  return {
    name,
    kind: 'changed',
    removed: oldColumns.filter((column) => !newColumns.includes(column)),
    added: newColumns.filter((column) => !oldColumns.includes(column)),
  };
}

function columnsOf({ relations }: SchemaIndex, name: string, kind: 'relation' | 'routine'): readonly string[] {
  const columns: DescribedRelation['columns'] = kind === 'relation' ? (relations.get(name)?.columns ?? []) : [];
  return columns.map((column) => column.name);
}

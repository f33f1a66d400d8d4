// Body of the statement of `sql/render-visibility.ts` → the parts of the schema that the request's role may know.
import type { CatalogRow } from '../catalog/catalog-rows.ts';
import { decodeRoutines } from '../catalog/routines.ts';
import type { Routine } from '../catalog/schema-cache.ts';
import { flatMapInSlices, type Slices } from '../contract/slices.ts';
import type { Visibility } from './description-input.ts';

/**
 * @param body undefined where everything may be known
 * @throws when the body is not what the statement gives
 */
export function* decodeVisibility(body: Uint8Array | undefined, schema: string): Slices<Visibility> {
  if (body === undefined) return { kind: 'all' };
  const found: unknown = JSON.parse(new TextDecoder().decode(body));
  const rows = yield* flatMapInSlices(readList(found, 'routines'), (value) => [readRow(value)]);
  const routines = yield* decodeRoutines(rows);
  const comment = readMember(found, 'schemaComment');
  return {
    kind: 'some',
    relations: new Set(readList(found, 'relations').map(String)),
    routines: routines.get(schema) ?? new Map<string, readonly Routine[]>(),
    schemaComment: typeof comment === 'string' ? comment : undefined,
  };
}

function readRow(value: unknown): CatalogRow {
  if (!Array.isArray(value)) throw new Error('a function is described by no array');
  return value.map((item: unknown) => (typeof item === 'string' ? item : null));
}

function readList(value: unknown, name: string): readonly unknown[] {
  const list = readMember(value, name);
  if (!Array.isArray(list)) throw new Error(`the description of privileges has no list "${name}"`);
  return list;
}

function readMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

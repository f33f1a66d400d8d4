// Body of the statement of `sql/render-visibility.ts` → the parts of the schema that the request's role may know.
import { decodeRoutines } from '../catalog/routines.ts';
import type { Routine } from '../catalog/schema-cache.ts';
import { flatMapInSlices, type Slices } from '../util/slices.ts';
import type { Visibility } from './document/description-input.ts';
import { readList, readMember, readRow, readTuples } from './document/read-json.ts';

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
    relations: new Map(readTuples(found, 'relations').map(([name, letters]) => [String(name), String(letters)])),
    routines: routines.get(schema) ?? new Map<string, readonly Routine[]>(),
    schemaComment: typeof comment === 'string' ? comment : undefined,
  };
}

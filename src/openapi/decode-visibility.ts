// Decodes the parts of a schema that the role may see, from the result of `sql/render-visibility.ts`.
import { decodeRoutines } from '../catalog/routines.ts';
import type { Routine } from '../catalog/schema-cache.ts';
import { flatMapInSlices, type Slices } from '../util/slices.ts';
import type { Visibility } from './document/description-input.ts';
import { readList, readMember, readRow, readTuples } from './document/read-json.ts';

/**
 * @param body undefined if everything is visible
 * @throws if the body does not have the form that the statement returns
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

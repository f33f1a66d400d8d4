// The input of the schema document.
import type { SchemaCache } from '../../catalog/schema-cache.ts';
import type { VisibleNames } from '../../catalog/visible-names.ts';
import type { RoleDetails } from './role-details.ts';

export interface DocumentInput {
  readonly cache: SchemaCache;
  /** The schema described. */
  readonly schema: string;
  readonly details: RoleDetails;
  /** `details` as visible names, to decide which relationships are usable. */
  readonly visible: VisibleNames;
}

export function listVisibleNames(schema: string, { relations, routines, rowFunctions }: RoleDetails): VisibleNames {
  const readable = new Map(
    [...relations].flatMap(([name, { relation, columns }]): [string, 'all' | ReadonlySet<string>][] => {
      if (!relation.includes('s')) return [];
      const selected = [...(columns ?? [])].filter(([, letters]) => letters.includes('s'));
      return [[name, columns === undefined ? 'all' : new Set(selected.map(([column]) => column))]];
    }),
  );
  const executable = [...rowFunctions.values(), ...routines.values()].flat().map(({ oid }) => oid);
  return { relations: new Map([[schema, readable]]), routines: new Set(executable) };
}

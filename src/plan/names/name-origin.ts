// Decides by which name an error refers to a relation that the request did not name itself but reached through a
// function or a referencing column.
import { isRelationVisible, type Visible } from '../../catalog/visible-names.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { NamedOrigin } from '../../errors/api-error.ts';

/** @param requested the name by which the request refers to the relation */
export function nameOrigin(relation: QualifiedName, requested: string, visible: Visible): NamedOrigin {
  const origin = isRelationVisible(visible, relation) ? relation.name : requested;
  return { origin, isOriginRequested: origin === requested };
}

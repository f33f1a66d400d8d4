// A relation that was reached otherwise than by its name (through a function that returns its rows, a column that refers to
// it) → what an error calls it.
import { isRelationVisible, type Visible } from '../../catalog/visible-names.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { NamedOrigin } from '../../errors/api-error.ts';

/** @param requested what the request calls the relation */
export function nameOrigin(relation: QualifiedName, requested: string, visible: Visible): NamedOrigin {
  const origin = isRelationVisible(visible, relation) ? relation.name : requested;
  return { origin, isOriginRequested: origin === requested };
}

// Replaces the message of a violated constraint with the comment that the owner of the database gave it
// (`beyond.md` §5.3).
import { constraintKey } from '../../catalog/constraint-comments.ts';
import type { ConstrainedRelation, SchemaCache } from '../../catalog/schema-cache.ts';
import { isColumnVisible, type VisibleNames } from '../../catalog/visible-names.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { ConstraintMessage, DatabaseReport } from '../../errors/api-error.ts';
import type { DescribeAction, PlannedRows } from '../../plan/actions/action-plan.ts';

export interface ConstraintContext {
  readonly cache: SchemaCache;
  /** Returns the names that the role may use. */
  readonly findVisible: () => Promise<VisibleNames>;
}

/** @returns undefined unless the report names a constraint that has a comment */
export async function explainConstraint(
  { sqlstate, constraint }: DatabaseReport,
  action: PlannedRows | DescribeAction,
  { cache, findVisible }: ConstraintContext,
): Promise<ConstraintMessage | undefined> {
  // User code may name a constraint in any error it raises.
  if (constraint === undefined || !sqlstate.startsWith('23')) return undefined;
  const comment = cache.constraintComments.get(constraintKey(constraint));
  if (comment === undefined) return undefined;
  const relation = findShown(comment.relations, listWritten(action));
  if (relation === undefined || relation.columns.length === 0) return { message: comment.message, columns: [] };
  const visible = await findVisible();
  const columns = relation.columns.filter((column) => isColumnVisible(visible, relation.name, column));
  return { message: comment.message, columns };
}

/** Chooses the view that the request writes through, otherwise the table itself. */
function findShown(
  relations: readonly ConstrainedRelation[],
  written: readonly QualifiedName[],
): ConstrainedRelation | undefined {
  const isWritten = ({ name }: ConstrainedRelation): boolean =>
    written.some((other) => other.schema === name.schema && other.name === name.name);
  return relations.find(isWritten) ?? relations.find(({ isView }) => !isView);
}

function listWritten(action: PlannedRows | DescribeAction): readonly QualifiedName[] {
  if (action.kind !== 'mutate') return [];
  return action.parts?.listRelations() ?? [action.relation.name];
}

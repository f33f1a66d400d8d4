// Plans a column with an optional path into its value.
import type { Column } from '../../catalog/schema-cache.ts';
import type { Field } from '../../request/query/query-params.ts';
import type { FieldPlan } from './read-plan.ts';

export function planField(field: Field, column: Column | undefined): FieldPlan {
  const isJson = column?.type === 'json' || column?.type === 'jsonb';
  return { column: field.column, path: field.path, toJson: field.path.length > 0 && !isJson };
}

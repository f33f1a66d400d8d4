// The form that is open, and the one that opens for selected rows.
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import { urlOfKeys } from '../rows/row-keys.ts';
import { keyOf, type RowKey, type RowOfLevel } from '../rows/row-links.ts';

export type FormChoice =
  | { readonly kind: 'upload'; readonly relation: DescribedRelation }
  /** `given`: values by column that the form of the new row begins with. */
  | { readonly kind: 'insert'; readonly relation: DescribedRelation; readonly given?: ReadonlyMap<string, string> }
  /** `rowUrl` addresses the row by its key: `/houses?id=eq.3`. */
  | { readonly kind: 'change' | 'copy' | 'delete'; readonly relation: DescribedRelation; readonly rowUrl: string }
  | {
      readonly kind: 'changeRows' | 'deleteRows';
      readonly relation: DescribedRelation;
      readonly keys: readonly RowKey[];
    };

/** Returns the form for an action on selected rows; undefined if the role may not do it, or the rows have no key. */
export function chooseForm(
  action: 'edit' | 'delete',
  relation: DescribedRelation,
  rows: readonly RowOfLevel[],
): FormChoice | undefined {
  if (action === 'edit' ? !relation.may.update : !relation.may.delete) return undefined;
  const keys = rows.flatMap((row): RowKey[] => [keyOf(row) ?? []]).filter((key) => key.length > 0);
  if (keys.length === 0) return undefined;
  if (keys.length > 1) return { kind: action === 'edit' ? 'changeRows' : 'deleteRows', relation, keys };
  return { kind: action === 'edit' ? 'change' : 'delete', relation, rowUrl: urlOfKeys(relation, keys) };
}

// The form that is open.
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { RowKey } from '../rows/row-links.ts';

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

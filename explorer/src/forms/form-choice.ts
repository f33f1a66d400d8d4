// The form that is open.
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { RowKey } from '../rows/row-links.ts';

export type FormChoice =
  | { readonly kind: 'insert' | 'upload'; readonly relation: DescribedRelation }
  /** `rowUrl` addresses the row by its key: `/houses?id=eq.3`. */
  | { readonly kind: 'change' | 'delete'; readonly relation: DescribedRelation; readonly rowUrl: string }
  | {
      readonly kind: 'changeRows' | 'deleteRows';
      readonly relation: DescribedRelation;
      readonly keys: readonly RowKey[];
    };

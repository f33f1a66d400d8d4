// What planning needs besides the request: the catalog and the options that shape reads.
import type { SchemaCache } from '../../catalog/schema-cache.ts';
import type { Visible } from '../../catalog/visible-names.ts';

export interface ReadContext {
  readonly cache: SchemaCache;
  /** What errors may name. */
  readonly visible: Visible;
  /** What the request calls the relation that is read: a function of its rows, or a column that refers to it, perhaps. */
  readonly requested: string;
  /** The schema of the request. */
  readonly schema: string;
  /** Aliased embeds answer to their target text too (`url-use-legacy-target-names`). */
  readonly useTargetNames: boolean;
  readonly aggregatesEnabled: boolean;
  /** By other operators than null. */
  readonly areEmbedFiltersRefused: boolean;
  /** To types that are printed as names of other objects. */
  readonly areNameCastsRefused: boolean;
  /** Cap of rows per level; undefined: none. */
  readonly maxRows: number | undefined;
}

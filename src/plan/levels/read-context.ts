// The input of planning a read besides the request: the catalog and the options that shape reads.
import type { SchemaCache } from '../../catalog/schema-cache.ts';
import type { Visible } from '../../catalog/visible-names.ts';

export interface ReadContext {
  readonly cache: SchemaCache;
  /** Objects that errors may name. */
  readonly visible: Visible;
  /** The name by which the request refers to the relation, possibly that of a function or of a referencing column. */
  readonly requested: string;
  /** The schema of the request. */
  readonly schema: string;
  /** Aliased embeds can also be addressed by their target name (`url-use-legacy-target-names`). */
  readonly useTargetNames: boolean;
  readonly aggregatesEnabled: boolean;
  /** A term of `order` may be an alias of its level (`beyond.md` §1.1). */
  readonly mayOrderByAlias: boolean;
  /** Filters on embeds with operators other than `is.null`. */
  readonly areEmbedFiltersRefused: boolean;
  /** Casts to types that print as names of database objects. */
  readonly areNameCastsRefused: boolean;
  /** The error for two embeds with one key names their parent as well. */
  readonly areRepeatedKeysNamedByParent: boolean;
  /** Maximum rows per level; undefined: no limit. */
  readonly maxRows: number | undefined;
}

// The input of planning besides the request: the catalog and the configuration options that shape plans.
import type { Dialect } from '../../contract/dialect.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { SchemaCache } from '../../catalog/schema-cache.ts';
import type { Visible } from '../../catalog/visible-names.ts';
import type { EventSubject } from '../negotiation/negotiate.ts';
import type { ReadContext } from '../levels/read-context.ts';

export interface PlanContext {
  readonly dialect: Dialect;
  readonly cache: SchemaCache;
  /** Objects that errors may name although the request does not. */
  readonly visible: Visible;
  /** What streams of events may report; undefined: there are none. */
  readonly events: ReadonlySet<EventSubject> | undefined;
  readonly config: Pick<
    AppConfig,
    | 'dbAggregatesEnabled'
    | 'dbHoistedTxSettings'
    | 'dbMaxRows'
    | 'dbPlanEnabled'
    | 'dbPreRequest'
    | 'dbSafeUpdate'
    | 'serverEtags'
    | 'dbTxEnd'
    | 'extensions'
    | 'nestedMaxDepth'
    | 'nestedMaxRows'
    | 'openapiMode'
    | 'openapiVersion'
    | 'urlUseLegacyTargetNames'
  >;
}

export function readContextOf(
  { cache, visible, config, dialect }: PlanContext,
  { schema, name }: QualifiedName,
): ReadContext {
  return {
    cache,
    visible,
    requested: name,
    schema,
    useTargetNames: config.urlUseLegacyTargetNames,
    aggregatesEnabled: config.dbAggregatesEnabled,
    mayOrderByAlias: config.extensions.aggregates,
    areEmbedFiltersRefused: dialect.areEmbedFiltersRefused,
    areNameCastsRefused: dialect.areNameCastsRefused,
    areRepeatedKeysNamedByParent: dialect.areRepeatedKeysNamedByParent,
    maxRows: config.dbMaxRows,
  };
}

// The input of planning besides the request: the catalog and the configuration options that shape plans.
import type { Dialect } from '../../contract/dialect.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { Relation, SchemaCache } from '../../catalog/schema-cache.ts';
import type { Visible } from '../../catalog/visible-names.ts';
import type { EventSubject } from '../negotiation/negotiate.ts';
import type { MediaType } from '../../media/media-type.ts';
import type { Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ApiRequest, PageRequest } from '../../request/api-request.ts';
import type { RowRange } from '../../request/range.ts';
import type { Slices } from '../../util/slices.ts';
import type { ReadContext } from '../levels/read-context.ts';
import type { ReadPlan } from '../levels/read-plan.ts';
import type { ActionPlan, DescribeAction, PagingPlan } from './action-plan.ts';

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
    | 'dbTxEnd'
    | 'extensions'
    | 'nestedMaxDepth'
    | 'nestedMaxRows'
    | 'openapiMode'
    | 'urlUseLegacyTargetNames'
  >;
  readonly seams: PlanSeams;
}

/** What extensions add to plans. */
export interface PlanSeams {
  /** Plans a request whose body is long, in slices, instead of `planRequest`. */
  readonly planInSlices?: PlanInSlices | undefined;
  readonly planPages?: PlanPages | undefined;
  /** Whether a read of one row also returns the version of the row. */
  readonly returnsVersions?: boolean | undefined;
  /** Completes the plan of a request that no extension plans, or refuses it. */
  readonly completePlan?: ((action: ActionPlan, cache: SchemaCache) => Result<ActionPlan, ApiError>) | undefined;
  /** Chooses a description of the schema for a media type, instead of the one that the core builds. */
  readonly chooseDocument?: ((type: MediaType) => DocumentChoice | undefined) | undefined;
}

/** @returns undefined for a request of others */
export type PlanInSlices = (
  request: ApiRequest,
  context: PlanContext,
) => Slices<Result<ActionPlan, ApiError>> | undefined;

/** Completes the order of a read in keyset pages, and finds the place of the page. */
export type PlanPages = (page: PageRequest, subject: PagedSubject) => Result<PlannedPage, ApiError>;

export interface PagedSubject {
  readonly read: ReadPlan;
  readonly relation: Relation;
  /** Limited by `db-max-rows`. */
  readonly range: RowRange;
}

export interface PlannedPage {
  readonly read: ReadPlan;
  readonly paging: PagingPlan;
}

export type DocumentChoice = Pick<DescribeAction, 'document' | 'contentType'>;

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

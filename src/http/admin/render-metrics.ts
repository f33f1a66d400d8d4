// Renders the counts of a service and its servers or handlers as the text of `/metrics`.
import { describeRefusals, type Tallied } from '../../observe/http-metrics.ts';
import { renderMetrics } from '../../observe/metrics.ts';
import { describeRequests } from '../../observe/request-metrics.ts';
import { describeRuntimeMetrics } from '../../observe/runtime-metrics.ts';
import { describeServiceMetrics } from '../../observe/service-metrics.ts';
import type { ServingCounts } from '../../observe/serving-counts.ts';
import type { Service } from '../../service/service.ts';

/** Returns the counts of a service that answers its requests itself. */
export function countService({ health, serving }: Service, refusals: Tallied): ServingCounts {
  const { pool, jwtCache, extensions } = health.counters;
  return { pool, jwtCache, extensions, metrics: serving.requests.metrics, refusals, runtime: undefined };
}

/** @param counts of all processes that answer requests */
export function renderServiceMetrics({ serving, health }: Service, counts: ServingCounts): string {
  const prefix = serving.dialect.metricsPrefix;
  const { pool, jwtCache, extensions, metrics, refusals, runtime } = counts;
  return renderMetrics([
    ...describeServiceMetrics(prefix, { ...health.counters, pool, jwtCache, extensions }),
    describeRefusals(prefix, refusals),
    ...describeRequests(prefix, metrics),
    ...(runtime === undefined ? [] : describeRuntimeMetrics(runtime)),
  ]);
}

// What a service and the servers or handlers before it have counted → the text of `/metrics`.
import { describeRefusals, type Tally } from '../observe/http-metrics.ts';
import { renderMetrics } from '../observe/metrics.ts';
import { describeRequests } from '../observe/request-metrics.ts';
import { describeRuntimeMetrics } from '../observe/runtime-metrics.ts';
import { describeServiceMetrics } from '../observe/service-metrics.ts';
import type { Service } from '../runtime/service.ts';
import type { RuntimeWatch } from '../runtime/supervision/runtime-statistics.ts';
import type { LimitName } from './limits.ts';

/** @param runtime undefined: without metrics of the runtime */
export function renderServiceMetrics(service: Service, refusals: Tally<LimitName>, runtime?: RuntimeWatch): string {
  const prefix = service.dialect.metricsPrefix;
  return renderMetrics([
    ...describeServiceMetrics(prefix, service.counters),
    describeRefusals(prefix, refusals),
    ...describeRequests(prefix, service.requests.metrics),
    ...(runtime === undefined ? [] : describeRuntimeMetrics(runtime.statistics)),
  ]);
}

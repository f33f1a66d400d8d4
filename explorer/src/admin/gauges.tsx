// The key metrics, each with a chart: requests, latency, failures and the pool.
import type { ComponentChildren, VNode } from 'preact';
import type { StatusDocument } from '../../../src/contract/status-document.ts';
import { formatCount, formatMilliseconds, formatRate } from './format.ts';
import { LineChart } from './line-chart.tsx';
import type { Sample } from './sample.ts';

export interface GaugesProps {
  readonly status: StatusDocument;
  readonly samples: readonly Sample[];
}

export function Gauges({ status, samples }: GaugesProps): VNode {
  const { pool, requests } = status;
  const now = samples.at(-1);
  return (
    <section class="admin-gauges" aria-label="Current values and recent history">
      <Gauge
        title="Requests"
        value={`${formatRate(now?.requestsPerSecond ?? 0)}/s`}
        note={`${requests.inFlight} in flight, ${formatCount(requests.answered)} served`}
      >
        <LineChart
          label="Requests per second"
          format={formatRate}
          series={[{ name: 'requests', tone: 'accent', values: samples.map((each) => each.requestsPerSecond) }]}
        />
      </Gauge>
      <Gauge
        title="Latency"
        value={formatMilliseconds(now?.median)}
        note={`95% within ${formatMilliseconds(now?.p95)}`}
      >
        <LineChart
          label="Latency"
          format={formatMilliseconds}
          series={[
            { name: 'median', tone: 'accent', values: samples.map((each) => each.median) },
            { name: '95%', tone: 'info', values: samples.map((each) => each.p95) },
          ]}
        />
      </Gauge>
      <Gauge
        title="Connections in use"
        value={`${pool.inUse} of ${pool.max}`}
        note={`${pool.open} open, ${pool.waiting} requests waiting, ${formatCount(pool.timeouts)} timeouts`}
      >
        <LineChart
          label="Connections in use"
          format={formatCount}
          top={Math.max(pool.max, ...samples.map((each) => each.waiting))}
          series={[
            { name: 'in use', tone: 'accent', values: samples.map((each) => each.inUse) },
            { name: 'waiting', tone: 'danger', values: samples.map((each) => each.waiting) },
          ]}
        />
      </Gauge>
      <Gauge title="Failures" value={`${formatRate(now?.failuresPerSecond ?? 0)}/s`} note={describeStatuses(status)}>
        <LineChart
          label="Responses with status 500 or higher per second"
          format={formatRate}
          series={[{ name: 'failures', tone: 'danger', values: samples.map((each) => each.failuresPerSecond) }]}
        />
      </Gauge>
    </section>
  );
}

interface GaugeProps {
  readonly title: string;
  readonly value: string;
  readonly note: string;
  readonly children: ComponentChildren;
}

function Gauge({ title, value, note, children }: GaugeProps): VNode {
  return (
    <div class="admin-gauge">
      <h2>{title}</h2>
      <p class="admin-value">{value}</p>
      {children}
      <p class="admin-note">{note}</p>
    </div>
  );
}

/** `200: 17, 404: 2` */
function describeStatuses({ requests }: StatusDocument): string {
  if (requests.statuses.length === 0) return 'no responses yet';
  return requests.statuses.map(({ status, count }) => `${status}: ${formatCount(count)}`).join(', ');
}

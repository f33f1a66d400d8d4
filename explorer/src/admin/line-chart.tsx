// A small chart of the last minutes with one line per series.
import type { VNode } from 'preact';
import { formatDuration } from './format.ts';
import { linePath, roundUp } from './line-path.ts';

export interface ChartSeries {
  readonly name: string;
  readonly values: readonly (number | undefined)[];
  readonly tone: 'accent' | 'danger' | 'info';
}

export interface LineChartProps {
  readonly label: string;
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
  /** Top of the scale. Defaults to a round number above the largest value. */
  readonly top?: number | undefined;
}

const SIZE = { width: 240, height: 56 };
/** Initial width of one minute, which grows with the number of samples. */
const MIN_SLOTS = 30;
const SECONDS_PER_SLOT = 2;

export function LineChart({ label, series, format, top }: LineChartProps): VNode {
  const slots = Math.max(MIN_SLOTS, ...series.map((each) => each.values.length));
  const values = series.flatMap((each) => each.values.filter((value) => value !== undefined));
  const highest = top ?? roundUp(Math.max(0, ...values));
  const latest = series.map(({ name, values: own }) => `${name} ${format(own.at(-1) ?? 0)}`).join(', ');
  return (
    <figure class="admin-chart">
      <svg
        viewBox={`0 -2 ${SIZE.width} ${SIZE.height + 4}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${latest}`}
      >
        <path class="admin-grid" d={`M0 0H${SIZE.width}M0 ${SIZE.height}H${SIZE.width}`} />
        {series.map((each) => (
          <path
            key={each.name}
            class={`admin-line admin-line-${each.tone}`}
            d={linePath(each.values, SIZE, { slots, top: highest })}
          />
        ))}
      </svg>
      <figcaption>
        <span>{formatDuration(slots * SECONDS_PER_SLOT)}</span>
        <span>{format(highest)}</span>
      </figcaption>
    </figure>
  );
}

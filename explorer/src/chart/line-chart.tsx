// A line through the groups: over time if they are dates, otherwise by number or in the order of the rows.
import type { VNode } from 'preact';
import type { ChartProps } from './bar-chart.tsx';
import type { ChartPoint } from './chart-data.ts';
import { formatNumber, makeScale } from './ticks.ts';

const [HEIGHT_PX, TOP_PX, BOTTOM_PX, LEFT_PX, RIGHT_PX] = [320, 12, 28, 64, 24];
const LABEL_PX = 110;
/** Above this number, the points are not marked. */
const MAX_MARKS = 100;

interface Placed extends ChartPoint {
  readonly at: number;
}

export function LineChart({ label, points, widthPx }: ChartProps): VNode {
  const placed = placePoints(points);
  const scale = makeScale(
    placed.map(({ value }) => value),
    5,
  );
  const [first, last] = [placed[0]?.at ?? 0, placed.at(-1)?.at ?? 1];
  const innerPx = Math.max(40, widthPx - LEFT_PX - RIGHT_PX);
  const x = (at: number): number => LEFT_PX + ((at - first) / (last - first || 1)) * innerPx;
  const y = (value: number): number =>
    TOP_PX + ((scale.to - value) / (scale.to - scale.from)) * (HEIGHT_PX - TOP_PX - BOTTOM_PX);
  const path = placed.map(({ at, value }, index) => `${index === 0 ? 'M' : 'L'}${x(at)} ${y(value)}`).join('');
  return (
    <svg class="chart-svg" width={widthPx} height={HEIGHT_PX} role="img" aria-label={label}>
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <path class="chart-grid" d={`M${LEFT_PX} ${y(tick)}H${widthPx - RIGHT_PX}`} />
          <text class="chart-tick chart-tick-value" x={LEFT_PX - 8} y={y(tick)}>
            {formatNumber(tick)}
          </text>
        </g>
      ))}
      {chooseLabels(placed, innerPx).map((point) => (
        <text key={point.at} class="chart-tick chart-tick-group" x={x(point.at)} y={HEIGHT_PX - 8}>
          {point.label}
        </text>
      ))}
      <path class="chart-line" d={path} />
      {placed.length > MAX_MARKS
        ? null
        : placed.map((point) => (
            <circle key={point.at} class="chart-mark" cx={x(point.at)} cy={y(point.value)} r={4}>
              <title>{`${point.label}: ${formatNumber(point.value)}`}</title>
            </circle>
          ))}
    </svg>
  );
}

/** Groups with a position are ordered by it; a group without one, such as null, is left out among them. */
function placePoints(points: readonly ChartPoint[]): readonly Placed[] {
  const positioned = points.flatMap((point) => (point.x === undefined ? [] : [{ ...point, at: point.x }]));
  if (positioned.length === 0) return points.map((point, at) => ({ ...point, at }));
  return positioned.toSorted((a, b) => a.at - b.at);
}

/** Leaves room between the labels. */
function chooseLabels(placed: readonly Placed[], widthPx: number): readonly Placed[] {
  const [first, last] = [placed[0]?.at ?? 0, placed.at(-1)?.at ?? 1];
  const gap = ((last - first) * LABEL_PX) / widthPx;
  const chosen: Placed[] = [];
  for (const point of placed) {
    const before = chosen.at(-1);
    if (before === undefined || point.at - before.at >= gap) chosen.push(point);
  }
  return chosen;
}

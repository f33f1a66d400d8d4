// Horizontal bars, one for each group, in the order of the rows.
import type { VNode } from 'preact';
import type { ChartPoint } from './chart-data.ts';
import { formatNumber, makeScale } from './ticks.ts';

export interface ChartProps {
  readonly label: string;
  readonly points: readonly ChartPoint[];
  readonly widthPx: number;
}

const [ROW_PX, BAR_PX, VALUE_PX, CHARACTER_PX] = [28, 18, 72, 7.2];
const MAX_BARS = 60;

export function BarChart({ label, points, widthPx }: ChartProps): VNode {
  const shown = points.slice(0, MAX_BARS);
  const longest = Math.max(...shown.map((point) => point.label.length));
  const namePx = Math.min(widthPx * 0.38, longest * CHARACTER_PX + 12);
  const scale = makeScale(
    shown.map(({ value }) => value),
    4,
  );
  const x = (value: number): number =>
    namePx + ((value - scale.from) / (scale.to - scale.from)) * Math.max(20, widthPx - namePx - VALUE_PX);
  const heightPx = shown.length * ROW_PX;
  return (
    <>
      <svg class="chart-svg" width={widthPx} height={heightPx} role="img" aria-label={label}>
        {scale.ticks.map((tick) => (
          <path key={tick} class="chart-grid" d={`M${x(tick)} 0V${heightPx}`} />
        ))}
        {shown.map((point, index) => {
          const top = index * ROW_PX;
          const [start, end] = [x(Math.min(0, point.value)), x(Math.max(0, point.value))];
          return (
            <g key={index}>
              <title>{`${point.label}: ${formatNumber(point.value)}`}</title>
              <text class="chart-name" x={namePx - 8} y={top + ROW_PX / 2}>
                {cut(point.label, Math.floor((namePx - 8) / CHARACTER_PX))}
              </text>
              <rect
                class="chart-bar"
                x={start}
                y={top + (ROW_PX - BAR_PX) / 2}
                width={Math.max(1, end - start)}
                height={BAR_PX}
                rx={2}
              />
              <text class="chart-value" x={end + 6} y={top + ROW_PX / 2}>
                {formatNumber(point.value)}
              </text>
            </g>
          );
        })}
      </svg>
      {points.length > MAX_BARS ? (
        <p class="chart-note">{`Showing the first ${MAX_BARS} of ${points.length.toLocaleString('en')} groups.`}</p>
      ) : null}
    </>
  );
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(1, length - 1))}…`;
}

// Plots latencies as an SVG: the part of the receipts that took at most a time, over the time on a logarithmic scale.

export interface Curve {
  readonly name: string;
  /** Receipts by powers of the square root of two of the milliseconds. */
  readonly histogram: readonly number[];
}

const [WIDTH, HEIGHT] = [720, 300];
const [LEFT, TOP, BOTTOM, RIGHT] = [48, 12, 40, 250];
const MARKS = [1, 10, 100, 1000, 10_000];
/** Half powers of two up to 16 s. */
const STEPS = 28;
const COLORS = ['#2f6f4f', '#c2571a', '#3b6fb6', '#8a4fa3', '#b03a48', '#7a7a2a', '#4a4a4a'];

export function plotLatencies(curves: readonly Curve[]): string {
  const shown = curves.map((curve, index) => renderCurve(curve, index));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img" aria-label="Time from a write to its receipt">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${renderAxes()}
${shown.join('\n')}
</svg>
`;
}

function x(step: number): number {
  return LEFT + (step / STEPS) * (WIDTH - LEFT - RIGHT);
}

function y(part: number): number {
  return TOP + (1 - part) * (HEIGHT - TOP - BOTTOM);
}

function renderAxes(): string {
  const columns = MARKS.map((mark) => {
    const at = x(2 * Math.log2(mark)).toFixed(1);
    const line = `<line x1="${at}" x2="${at}" y1="${TOP}" y2="${y(0)}" stroke="#ddd"/>`;
    return `${line}<text x="${at}" y="${y(0) + 16}" text-anchor="middle" fill="#444">${mark}</text>`;
  });
  const rows = [0, 0.5, 0.9, 1].map((part) => {
    const at = y(part).toFixed(1);
    const line = `<line x1="${LEFT}" x2="${x(STEPS)}" y1="${at}" y2="${at}" stroke="#ddd"/>`;
    return `${line}<text x="${LEFT - 6}" y="${Number(at) + 4}" text-anchor="end" fill="#444">${part * 100} %</text>`;
  });
  const title = `<text x="${x(STEPS / 2)}" y="${HEIGHT - 6}" text-anchor="middle" fill="#444">milliseconds from the write to the client</text>`;
  return [...columns, ...rows, title].join('\n');
}

function renderCurve({ name, histogram }: Curve, index: number): string {
  const all = histogram.reduce((sum, count) => sum + count, 0);
  const points: string[] = [];
  let passed = 0;
  for (const [step, count] of histogram.entries()) {
    passed += count;
    if (step <= STEPS) points.push(`${x(step).toFixed(1)},${y(passed / all).toFixed(1)}`);
  }
  const color = COLORS[index % COLORS.length] ?? '#000';
  const at = TOP + 14 + index * 20;
  const key = `<line x1="${x(STEPS) + 14}" x2="${x(STEPS) + 34}" y1="${at - 4}" y2="${at - 4}" stroke="${color}" stroke-width="2"/>`;
  const label = `<text x="${x(STEPS) + 40}" y="${at}" fill="#444">${name}</text>`;
  return `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>${key}${label}`;
}

// Round values for the axes of a chart.

export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
}

/** Covers all values and zero. @param count approximate number of ticks */
export function makeScale(values: readonly number[], count: number): Scale {
  const least = Math.min(0, ...values);
  const greatest = Math.max(0, ...values);
  const isWhole = values.every((value) => Number.isInteger(value));
  const step = Math.max(isWhole ? 1 : 0, roundStep((greatest - least || 1) / count));
  const from = Math.floor(least / step) * step;
  const to = Math.max(from + step, Math.ceil(greatest / step) * step);
  const length = Math.round((to - from) / step) + 1;
  return { from, to, ticks: Array.from({ length }, (_, index) => from + index * step) };
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (([1, 2, 5] as const).find((factor) => factor * power >= value) ?? 10) * power;
}

export function formatNumber(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 6 });
}

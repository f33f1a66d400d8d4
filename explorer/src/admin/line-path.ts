// Computes the SVG path of a line through values, scaled to a rectangle.

export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

/** @param slots number of values that fill the width; fewer are right-aligned. Undefined values leave gaps */
export function linePath(
  values: readonly (number | undefined)[],
  { width, height }: ChartSize,
  { slots, top }: { readonly slots: number; readonly top: number },
): string {
  const step = width / Math.max(1, slots - 1);
  const start = width - step * (values.length - 1);
  let isDrawing = false;
  return values
    .map((value, index) => {
      if (value === undefined) {
        isDrawing = false;
        return '';
      }
      const y = height - (Math.min(value, top) / Math.max(top, Number.EPSILON)) * height;
      const command = isDrawing ? 'L' : 'M';
      isDrawing = true;
      return `${command}${round(start + index * step)} ${round(y)}`;
    })
    .join('');
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return (([1, 2, 5] as const).find((factor) => factor * power >= value) ?? 10) * power;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

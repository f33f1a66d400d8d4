// Points and rectangles of the map. One unit is one pixel at zoom 1.

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** `x` and `y` are those of the upper left corner. */
export interface Rectangle extends Point {
  readonly width: number;
  readonly height: number;
}

export function boundsOf(rectangles: readonly Rectangle[]): Rectangle {
  if (rectangles.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const x = Math.min(...rectangles.map((each) => each.x));
  const y = Math.min(...rectangles.map((each) => each.y));
  const right = Math.max(...rectangles.map((each) => each.x + each.width));
  const bottom = Math.max(...rectangles.map((each) => each.y + each.height));
  return { x, y, width: right - x, height: bottom - y };
}

export function middleOf({ x, y, width, height }: Rectangle): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

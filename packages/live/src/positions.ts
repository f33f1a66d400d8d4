// Positions in the server's write-ahead log: `<timeline>:<hi>/<lo>`, the last two in hexadecimal digits.

const POSITION = /^(\d+):([0-9a-f]+)\/([0-9a-f]+)$/iu;

/** Returns a negative number if `a` comes before `b`, 0 if they are equal, and a positive number otherwise. */
export function comparePositions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  const index = left.findIndex((part, place) => part !== right[place]);
  return index < 0 ? 0 : (left[index] ?? 0) - (right[index] ?? 0);
}

function parse(text: string): readonly number[] {
  const [, timeline, high = '', low = ''] = POSITION.exec(text) ?? [];
  if (timeline === undefined) throw new TypeError(`"${text}" is not a position`);
  return [Number(timeline), Number.parseInt(high, 16), Number.parseInt(low, 16)];
}

// Positions in the server's write-ahead log: `<timeline>:<hi>/<lo>`, the last two in hexadecimal digits.

const POSITION = /^(\d+):([0-9a-f]+)\/([0-9a-f]+)$/iu;

/** Returns a negative number if `a` comes before `b`, 0 if they are equal, and a positive number otherwise. */
export function comparePositions(a: string, b: string): number {
  const [timeline, high, low] = parse(a);
  const [otherTimeline, otherHigh, otherLow] = parse(b);
  return timeline - otherTimeline || high - otherHigh || low - otherLow;
}

function parse(text: string): readonly [number, number, number] {
  const [, timeline, high = '', low = ''] = POSITION.exec(text) ?? [];
  if (timeline === undefined) throw new TypeError(`"${text}" is not a position`);
  return [Number(timeline), Number.parseInt(high, 16), Number.parseInt(low, 16)];
}

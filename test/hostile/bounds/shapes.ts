// The worst shapes of what a client can send, by length. Each is built when it is sent.

/** Returns text of about `size` bytes. */
export type Shape = (size: number) => string;

/** Repeats a piece between a start and an end. */
export function fill(piece: string, start = '', end = ''): Shape {
  return (size) =>
    start + piece.repeat(Math.max(1, Math.floor((size - start.length - end.length) / piece.length))) + end;
}

/** Joins pieces that differ by their number. */
export function number(piece: (index: number) => string, start = '', end = '', separator = ','): Shape {
  return (size) => {
    const pieces: string[] = [];
    for (let index = 0, length = 0; length < size; index += 1) {
      const text = piece(index);
      pieces.push(text);
      length += text.length + separator.length;
    }
    return start + pieces.join(separator) + end;
  };
}

export function nest(open: string, inside: string, close: string): Shape {
  return (size) => {
    const depth = Math.floor(size / (open.length + close.length));
    return open.repeat(depth) + inside + close.repeat(depth);
  };
}

/** JSON of any kind, around which the readers put what they need. */
export const VALUES: Readonly<Record<string, Shape>> = {
  'one string': fill('x', '"', '"'),
  'one string of escapes': fill(String.raw`\u00e9`, '"', '"'),
  'one string of quotes': fill(String.raw`\"`, '"', '"'),
  'one string of four-byte characters': fill('😀', '"', '"'),
  'one number': fill('1'),
  'white space': fill(' ', '', '1'),
  'empty arrays': fill('[],', '[', '[]]'),
  'short numbers': fill('1,', '[', '1]'),
  'short strings': fill('"",', '[', '""]'),
  'empty objects': fill('{},', '[', '{}]'),
  'repeated names': fill('"a":1,', '{', '"a":1}'),
  'different names': number((index) => `"${index}":1`, '{', '}'),
  'one long name': fill('n', '{"', '":1}'),
  'deep arrays': nest('[', '', ']'),
  'deep objects': nest('{"a":', '1', '}'),
};

/** Texts that are broken at their end, where the reader has already done its work. */
export const BROKEN: Readonly<Record<string, Shape>> = {
  'rows, then no end': fill('{"id":1},', '[', ''),
  'lines, then a fault': fill('{"id":1},\n', '[', '!]'),
  'a string without an end': fill('x', '[{"id":"', ''),
  'rows, then bytes that are no text': (size) => `${fill('{"id":1},', '[', '')(size)}{"id":"\u0000"}]`,
};

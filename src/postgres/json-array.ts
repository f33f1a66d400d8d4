// JSON arrays of rows that PostgreSQL sends one by one, in the bytes that it would give them itself.

export const ARRAY_BEGIN: Buffer = Buffer.from('[');
/** As PostgreSQL writes it between the rows of an array. */
export const ARRAY_SEPARATOR: Buffer = Buffer.from(', \n ');
export const ARRAY_END: Buffer = Buffer.from(']');

const EMPTY_ARRAY: Buffer = Buffer.concat([ARRAY_BEGIN, ARRAY_END]);

/** @returns the array of all elements */
export function joinArrays(arrays: readonly Buffer[]): Buffer {
  const [only = EMPTY_ARRAY] = arrays;
  if (arrays.length < 2) return only;
  const elements = arrays.flatMap((array) => [ARRAY_SEPARATOR, array.subarray(ARRAY_BEGIN.length, -ARRAY_END.length)]);
  return Buffer.concat([ARRAY_BEGIN, ...elements.slice(1), ARRAY_END]);
}

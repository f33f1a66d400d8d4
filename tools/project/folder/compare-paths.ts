// The order of the files of a project (`project.md` §1 item 2).

const PIECES = /\d+|\D/gu;

/** Compares by bytes, and runs of digits as numbers: `2_x` before `10_x`. */
export function comparePaths(a: string, b: string): number {
  const [left, right] = [piecesOf(a), piecesOf(b)];
  for (const [index, piece] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = comparePieces(piece, other);
    if (order !== 0) return order;
  }
  // Equal numbers may be written differently: `1_x` and `01_x`.
  return left.length - right.length || compareBytes(a, b);
}

function piecesOf(path: string): readonly string[] {
  return path.match(PIECES) ?? [];
}

function comparePieces(a: string, b: string): number {
  if (!/^\d/u.test(a) || !/^\d/u.test(b)) return compareBytes(a, b);
  const difference = BigInt(a) - BigInt(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

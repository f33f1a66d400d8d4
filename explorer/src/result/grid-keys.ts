// Maps a key pressed in the table to the next active cell.

/** Row -1 is the head. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** @param id id of the table */
export function cellId(id: string, { row, column }: CellPlace): string {
  return `${id}-${row}-${column}`;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** Number of rows visible at once. */
  readonly pageRows: number;
}

/** Returns undefined if the key does not move the active cell. */
export function moveCell(at: CellPlace, event: GridKey, size: GridSize): CellPlace | undefined {
  const target = targetOf(at, event, size);
  if (target === undefined) return undefined;
  return {
    row: Math.min(size.rows - 1, Math.max(-1, target.row)),
    column: Math.min(size.columns - 1, Math.max(0, target.column)),
  };
}

/** The relevant part of a KeyboardEvent. */
export interface GridKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

function targetOf(
  { row, column }: CellPlace,
  { key, ctrlKey, metaKey }: GridKey,
  { rows, columns, pageRows }: GridSize,
): CellPlace | undefined {
  const isFar = ctrlKey || metaKey;
  switch (key) {
    case 'ArrowUp':
      return { row: isFar ? -1 : row - 1, column };
    case 'ArrowDown':
      return { row: isFar ? rows - 1 : row + 1, column };
    case 'ArrowLeft':
      return { row, column: isFar ? 0 : column - 1 };
    case 'ArrowRight':
      return { row, column: isFar ? columns - 1 : column + 1 };
    case 'Home':
      return { row: isFar ? -1 : row, column: 0 };
    case 'End':
      return { row: isFar ? rows - 1 : row, column: columns - 1 };
    case 'PageUp':
      return { row: Math.max(0, row - pageRows), column };
    case 'PageDown':
      return { row: row + pageRows, column };
    default:
      return undefined;
  }
}

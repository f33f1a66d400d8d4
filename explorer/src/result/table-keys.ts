// Maps a key pressed in the table to what it does, other than moving the active cell.

export type TableKey =
  | 'editCell'
  /** Edits the cell, else opens its value, follows its link or sorts. */
  | 'editOrOpen'
  | 'open'
  | 'menu'
  | 'toggleRow'
  | 'extendUp'
  | 'extendDown'
  | 'selectAll'
  | 'clear'
  | 'edit'
  | 'delete'
  | 'undo';

export interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

const PLAIN: ReadonlyMap<string, TableKey> = new Map([
  ['F2', 'editCell'],
  ['Enter', 'editOrOpen'],
  [' ', 'open'],
  ['ContextMenu', 'menu'],
  ['Escape', 'clear'],
  ['Delete', 'delete'],
  ['e', 'edit'],
]);
const WITH_SHIFT: ReadonlyMap<string, TableKey> = new Map([
  [' ', 'toggleRow'],
  ['ArrowUp', 'extendUp'],
  ['ArrowDown', 'extendDown'],
]);
const WITH_CONTROL: ReadonlyMap<string, TableKey> = new Map([
  ['a', 'selectAll'],
  ['z', 'undo'],
]);

/** @param canEdit without it, only keys that open values have an effect */
export function tableKeyOf(event: PressedKey, canEdit: boolean): TableKey | undefined {
  if (event.altKey) return undefined;
  const isControl = event.ctrlKey || event.metaKey;
  const keys = isControl ? (event.shiftKey ? undefined : WITH_CONTROL) : event.shiftKey ? WITH_SHIFT : PLAIN;
  // Caps Lock makes letters upper case without Shift.
  const found = keys?.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
  if (canEdit || found === undefined) return found;
  if (found === 'editOrOpen') return 'open';
  return found === 'open' || found === 'menu' ? found : undefined;
}

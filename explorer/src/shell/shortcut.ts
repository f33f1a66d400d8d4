// Maps a key event to a shortcut; undefined if the focused element handles the key.

export type Shortcut = 'keys' | 'search' | 'url' | 'builder' | 'map' | 'again' | 'cancel' | 'undo';

const SHORTCUTS: ReadonlyMap<string, Shortcut> = new Map([
  ['?', 'keys'],
  ['/', 'search'],
  ['u', 'url'],
  ['b', 'builder'],
  ['m', 'map'],
  ['r', 'again'],
  ['Escape', 'cancel'],
]);

export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
  readonly defaultPrevented: boolean;
}

export function shortcutOf(event: PressedKey, isTaken: boolean): Shortcut | undefined {
  if (isTaken || event.defaultPrevented || event.altKey) return undefined;
  // Caps Lock makes letters upper case without Shift.
  const key = event.shiftKey || event.key.length > 1 ? event.key : event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) return key === 'z' && !event.shiftKey ? 'undo' : undefined;
  return SHORTCUTS.get(key);
}

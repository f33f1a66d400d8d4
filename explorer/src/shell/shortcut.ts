// Maps a key event to a shortcut; undefined if the focused element handles the key.

export type Shortcut = 'keys' | 'search' | 'url' | 'builder' | 'map' | 'again' | 'cancel';

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
  readonly metaKey: boolean;
  readonly defaultPrevented: boolean;
}

export function shortcutOf(event: PressedKey, isTaken: boolean): Shortcut | undefined {
  if (isTaken || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return undefined;
  return SHORTCUTS.get(event.key);
}

// All keyboard shortcuts of the explorer, as listed by `?`.

export interface KeyHelp {
  readonly keys: readonly string[];
  readonly does: string;
}

export const KEYS: readonly { readonly where: string; readonly keys: readonly KeyHelp[] }[] = [
  {
    where: 'Everywhere',
    keys: [
      { keys: ['?'], does: 'Show keyboard shortcuts' },
      { keys: ['/'], does: 'Search relations and functions' },
      { keys: ['u'], does: 'Edit the URL' },
      { keys: ['b'], does: 'Show or hide the builder' },
      { keys: ['m'], does: 'Go to the map' },
      { keys: ['r'], does: 'Send the request again' },
      { keys: ['Esc'], does: 'Cancel the request or close a dialog' },
      { keys: ['Alt', '←'], does: 'Go back; with → go forward' },
    ],
  },
  {
    where: 'In the URL',
    keys: [
      { keys: ['Tab'], does: 'Accept the first completion' },
      { keys: ['Ctrl', 'Space'], does: 'Show completions' },
      { keys: ['Enter'], does: 'Send the request' },
      { keys: ['Esc'], does: 'Leave the field' },
    ],
  },
  {
    where: 'In the table of rows',
    keys: [
      { keys: ['↑', '↓', '←', '→'], does: 'Move between cells; with Ctrl to the edge' },
      { keys: ['Page ↑', 'Page ↓'], does: 'Move one screen up or down' },
      { keys: ['Enter'], does: 'Open a value, follow a link, or sort by a column' },
    ],
  },
  {
    where: 'On the map',
    keys: [
      { keys: ['↑', '↓', '←', '→'], does: 'Move between tables; with Shift pan the map' },
      { keys: ['+', '−', '0'], does: 'Zoom in, zoom out, show all' },
      { keys: ['Enter'], does: 'Open the table' },
    ],
  },
  {
    where: 'In the list of relations',
    keys: [
      { keys: ['↓', '↑'], does: 'Move down and up' },
      { keys: ['Home', 'End'], does: 'Move to the first or last entry' },
      { keys: ['Enter'], does: 'Open the entry; in the search field, the best match' },
    ],
  },
];

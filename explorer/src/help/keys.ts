// All keyboard shortcuts of the explorer, as listed by `?`.

export interface KeyHelp {
  readonly keys: readonly string[];
  readonly action: string;
}

export const KEYS: readonly { readonly where: string; readonly keys: readonly KeyHelp[] }[] = [
  {
    where: 'Everywhere',
    keys: [
      { keys: ['?'], action: 'Show keyboard shortcuts' },
      { keys: ['/'], action: 'Search relations and functions' },
      { keys: ['u'], action: 'Edit the URL' },
      { keys: ['b'], action: 'Show or hide the builder' },
      { keys: ['m'], action: 'Go to the map' },
      { keys: ['r'], action: 'Send the request again' },
      { keys: ['Esc'], action: 'Cancel the request or close a dialog' },
      { keys: ['Alt', '←'], action: 'Go back; with → go forward' },
    ],
  },
  {
    where: 'In the URL',
    keys: [
      { keys: ['Tab'], action: 'Accept the first completion' },
      { keys: ['Ctrl', 'Space'], action: 'Show completions' },
      { keys: ['Enter'], action: 'Send the request' },
      { keys: ['Esc'], action: 'Leave the field' },
    ],
  },
  {
    where: 'In the table of rows',
    keys: [
      { keys: ['↑', '↓', '←', '→'], action: 'Move between cells; with Ctrl to the edge' },
      { keys: ['Page ↑', 'Page ↓'], action: 'Move one screen up or down' },
      { keys: ['Enter'], action: 'Open a value, follow a link, or sort by a column' },
    ],
  },
  {
    where: 'On the map',
    keys: [
      { keys: ['↑', '↓', '←', '→'], action: 'Move between tables; with Shift pan the map' },
      { keys: ['+', '−', '0'], action: 'Zoom in, zoom out, show all' },
      { keys: ['Enter'], action: 'Open the table' },
    ],
  },
  {
    where: 'In the list of relations',
    keys: [
      { keys: ['↓', '↑'], action: 'Move down and up' },
      { keys: ['Home', 'End'], action: 'Move to the first or last entry' },
      { keys: ['Enter'], action: 'Open the entry; in the search field, the best match' },
    ],
  },
];

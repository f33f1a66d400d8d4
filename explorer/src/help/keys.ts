// All keys of the explorer, as `?` lists them.

export interface KeyHelp {
  readonly keys: readonly string[];
  readonly does: string;
}

export const KEYS: readonly { readonly where: string; readonly keys: readonly KeyHelp[] }[] = [
  {
    where: 'Everywhere',
    keys: [
      { keys: ['?'], does: 'Show the keys' },
      { keys: ['/'], does: 'Search relations and functions' },
      { keys: ['u'], does: 'Edit the URL' },
      { keys: ['b'], does: 'Show or hide the builder' },
      { keys: ['m'], does: 'Go to the map' },
      { keys: ['r'], does: 'Send the request again' },
      { keys: ['Esc'], does: 'Cancel the request, close what is open' },
      { keys: ['Alt', '←'], does: 'Go back; → goes forward' },
    ],
  },
  {
    where: 'In the URL',
    keys: [
      { keys: ['Tab'], does: 'Take the first completion' },
      { keys: ['Ctrl', 'Space'], does: 'Show what may stand here' },
      { keys: ['Enter'], does: 'Send the request' },
      { keys: ['Esc'], does: 'Leave' },
    ],
  },
  {
    where: 'In the table of rows',
    keys: [
      { keys: ['↑', '↓', '←', '→'], does: 'Go from cell to cell; with Ctrl to the edge' },
      { keys: ['Page ↑', 'Page ↓'], does: 'Go one screen up or down' },
      { keys: ['Enter'], does: 'Open a value, follow a link, order by a head' },
    ],
  },
  {
    where: 'On the map',
    keys: [
      { keys: ['↑', '↓', '←', '→'], does: 'Go from table to table; with Shift the map moves' },
      { keys: ['+', '−', '0'], does: 'Zoom in, zoom out, show all' },
      { keys: ['Enter'], does: 'Open the table' },
    ],
  },
  {
    where: 'In the list of relations',
    keys: [
      { keys: ['↓', '↑'], does: 'Go down and up' },
      { keys: ['Home', 'End'], does: 'Go to the first, the last' },
      { keys: ['Enter'], does: 'Open; in the search field: the best match' },
    ],
  },
];

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
    where: 'In the list of relations',
    keys: [
      { keys: ['↓', '↑'], does: 'Go down and up' },
      { keys: ['Home', 'End'], does: 'Go to the first, the last' },
      { keys: ['Enter'], does: 'Open; in the search field: the best match' },
    ],
  },
];

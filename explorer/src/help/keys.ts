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
      { keys: ['/'], action: 'Search tables and functions' },
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
      { keys: ['Enter'], action: 'Accept the completion chosen with ↓ ↑, else send the request' },
      { keys: ['Esc'], action: 'Leave the field' },
    ],
  },
  {
    where: 'In the table of rows',
    keys: [
      { keys: ['↑', '↓', '←', '→'], action: 'Move between cells; with Ctrl to the edge' },
      { keys: ['Page ↑', 'Page ↓'], action: 'Move one screen up or down' },
      { keys: ['Space'], action: 'Open a value, follow a link, or sort by a column' },
      { keys: ['Enter'], action: 'Edit the cell; if it cannot be edited, like Space' },
      { keys: ['Shift', 'F10'], action: 'Filter by a value, or show the values of a column' },
    ],
  },
  {
    where: 'In a table that you can change',
    keys: [
      { keys: ['F2'], action: 'Edit the cell; a double click does too' },
      { keys: ['Enter', 'Esc'], action: 'Save or cancel the cell; Shift + Enter starts a line' },
      { keys: ['Tab'], action: 'Save the cell and go on; with Shift go back' },
      { keys: ['Ctrl', 'Delete'], action: 'Set the edited cell to null' },
      { keys: ['Shift', 'Space'], action: 'Select the row; Shift with ↑ ↓ extends the selection' },
      { keys: ['Ctrl', 'A'], action: 'Select all rows' },
      { keys: ['e'], action: 'Edit the selected rows, or the row' },
      { keys: ['Delete'], action: 'Delete the selected rows, or the row' },
      { keys: ['Ctrl', 'Z'], action: 'Undo the latest change' },
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

// Line icons in the color of the text, hidden from screen readers because the surrounding control has a label.
import type { VNode } from 'preact';
import './icon.css';

/** Paths in a 16×16 square. */
const PATHS = {
  arrowDown: 'M8 3v10M4 9l4 4 4-4',
  arrowUp: 'M8 13V3M4 7l4-4 4 4',
  book: 'M8 4C6.5 2.8 4 2.8 2 3.3v9.5c2-.5 4.5-.5 6 .7c1.5-1.2 4-1.2 6-.7V3.3c-2-.5-4.5-.5-6 .7v9.5',
  bookmark: 'M4 2.5h8v11l-4-3-4 3z',
  builder: 'M2 4h5M11 4h3M2 8h8M14 8h0M2 12h2M8 12h6M7 2.5v3h4v-3zM10 6.5v3h3v-3zM4 10.5v3h4v-3z',
  cancel: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M5.5 5.5l5 5M10.5 5.5l-5 5',
  chart: 'M2.5 2.5v11h11M5.5 10.5v-3M8.5 10.5v-6M11.5 10.5v-4',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  chevronDown: 'M4 6l4 4 4-4',
  chevronLeft: 'M10 4L6 8l4 4',
  chevronRight: 'M6 4l4 4-4 4',
  chevronUp: 'M4 10l4-4 4 4',
  clock: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M8 4.5V8l2.5 1.5',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  code: 'M5.5 4L1.5 8l4 4M10.5 4l4 4-4 4',
  columns: 'M2.5 2.5h11v11h-11zM6.2 2.5v11M9.8 2.5v11',
  computer: 'M2 3h12v8H2zM6 14h4M8 11v3',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  database: 'M2.5 4c0-3.3 11-3.3 11 0s-11 3.3-11 0v8c0 3.3 11 3.3 11 0V4M2.5 8c0 3.3 11 3.3 11 0',
  download: 'M8 2v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11',
  edit: 'M2.5 13.5l.8-3.3L11 2.5l2.5 2.5-7.7 7.7zM9.3 4.2l2.5 2.5',
  error: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M8 4.5v4.2M8 11.2v.1',
  external: 'M9 2.5h4.5V7M13.5 2.5L7 9M6.5 3.5h-4v10h10v-4',
  eye: 'M1.5 8C4 2.9 12 2.9 14.5 8C12 13.1 4 13.1 1.5 8M8 6a2 2 0 1 0 0 4a2 2 0 1 0 0-4',
  filter: 'M2 3h12L9.5 8.5v5l-3-1.8V8.5z',
  fit: 'M2.5 6v-3.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  foreignTable: 'M2.5 13.5v-11h11V7M2.5 6h11M6.5 6v7.5h1M9.5 11.8h4.5M12 9.7l2.1 2.1L12 13.9',
  function: 'M10.8 2.7C8.9 1.9 8 3 7.7 5L6.4 11c-.3 2.1-1.3 3-3.2 2.3M4.8 6.6h5M10.2 9.2l3.4 4M13.6 9.2l-3.4 4',
  globe: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M1.5 8h13M8 1.5c-4 3.5-4 9.5 0 13M8 1.5c4 3.5 4 9.5 0 13',
  help: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M6 6.2c.2-2.4 4-2.2 4 0c0 1.4-2 1.5-2 3M8 11.5v.1',
  info: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M8 7.3v4.2M8 4.7v.1',
  key: 'M5.2 6.8a3.2 3.2 0 1 0 0 6.4a3.2 3.2 0 1 0 0-6.4M7.5 7.7L13.5 2M10.5 4.8l2.2 2.2',
  link: 'M6.8 9.2a2.7 2.7 0 0 0 4 .2l2-2.1a2.8 2.8 0 0 0-4-4l-1 1M9.2 6.8a2.7 2.7 0 0 0-4-.2l-2 2.1a2.8 2.8 0 0 0 4 4l1-1',
  lock: 'M3.5 7.5h9v6h-9zM5.3 7.5V5c0-3.6 5.4-3.6 5.4 0v2.5',
  map: 'M2 2.5h4.5v3.8H2zM9.5 9.7H14v3.8H9.5zM9.5 2.5H14v3.8H9.5zM6.5 4.4h3M11.8 6.3v3.4',
  materializedView: 'M2.5 2.5h11v11h-11zM2.5 6h11M4.8 9.8c1.6-2.4 4.8-2.4 6.4 0c-1.6 2.4-4.8 2.4-6.4 0M8 9.7v.2',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  minus: 'M3 8h10',
  moon: 'M13.5 9.6A6 6 0 0 1 6.4 2.5a5.8 5.8 0 1 0 7.1 7.1',
  more: 'M3 8h.1M8 8h.1M13 8h.1',
  panel: 'M2 2.5h12v11H2zM9.5 2.5v11',
  play: 'M4.5 2.5v11l9-5.5z',
  plus: 'M8 3v10M3 8h10',
  print: 'M4.5 6V2.5h7V6M4.5 11h-2V6h11v5h-2M4.5 9h7v4.5h-7z',
  refresh: 'M13.5 2.5v4h-4M13 6.3a5.5 5.5 0 1 0 .3 3.4',
  search: 'M7 2a5 5 0 1 0 0 10a5 5 0 1 0 0-10M10.6 10.6L14 14',
  shield: 'M8 1.5l5.5 2v4c0 3.3-2.2 5.6-5.5 7c-3.3-1.4-5.5-3.7-5.5-7v-4zM5.5 8l1.8 1.8L10.5 6.5',
  sort: 'M5 3v10M2.5 10.5L5 13l2.5-2.5M11 13V3M8.5 5.5L11 3l2.5 2.5',
  start: 'M1.5 7.5L8 2l6.5 5.5M3.5 6v7.5h9V6M6.5 13.5v-4h3v4',
  stop: 'M4 4h8v8H4z',
  sun: 'M8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9L13 13M3 13l1.1-1.1M11.9 4.1L13 3',
  table: 'M2.5 2.5h11v11h-11zM2.5 6h11M2.5 9.7h11M6.5 6v7.5',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.7 9h6.6l.7-9M6.8 7.2v3.6M9.2 7.2v3.6',
  undo: 'M5.5 2.5l-3 3 3 3M2.5 5.5h7a4 4 0 0 1 0 8h-4',
  upload: 'M8 10.5v-8M4.5 6L8 2.5 11.5 6M2.5 13.5h11',
  view: 'M2.5 2.5h11v11h-11zM2.5 6h11M4.8 9.8c1.6-2.4 4.8-2.4 6.4 0',
  warning: 'M8 2L1.5 13.5h13zM8 6.3v3.4M8 11.6v.1',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): VNode {
  return (
    <svg class="ui-icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

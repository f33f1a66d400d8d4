// Presentation attributes of the map for saved files, which have no style sheet. On the page, `map.css` overrides them.
import type { SvgNode } from './svg-node.ts';

type Look = SvgNode['attributes'];

const FONT = "system-ui, -apple-system, 'Segoe UI', sans-serif";
const MONOSPACED = "ui-monospace, 'SF Mono', Menlo, Consolas, monospace";

type Part =
  | 'box'
  | 'head'
  | 'title'
  | 'sign'
  | 'column'
  | 'type'
  | 'key'
  | 'foreignKey'
  | 'more'
  | 'line'
  | 'mark'
  | 'ring'
  | 'section';

export const LOOKS: Readonly<Record<Part, Look>> = {
  box: { class: 'map-box', fill: '#ffffff', stroke: '#c3c8d1' },
  head: { class: 'map-head', fill: '#eef1f6' },
  title: { class: 'map-title', fill: '#1b2330', 'font-family': FONT, 'font-size': 13, 'font-weight': 600 },
  sign: { class: 'map-sign', fill: 'none', stroke: '#5a6577', 'stroke-width': 1.2, 'stroke-linejoin': 'round' },
  column: { class: 'map-column', fill: '#1b2330', 'font-family': MONOSPACED, 'font-size': 12 },
  type: { class: 'map-type', fill: '#5a6577', 'font-family': MONOSPACED, 'font-size': 12, 'text-anchor': 'end' },
  key: { class: 'map-key', fill: '#8a5a00', 'font-family': FONT, 'font-size': 10, 'font-weight': 700 },
  foreignKey: { class: 'map-foreign-key', fill: '#2457c5', 'font-family': FONT, 'font-size': 10, 'font-weight': 700 },
  more: { class: 'map-more', fill: '#5a6577', 'font-family': FONT, 'font-size': 11 },
  line: { class: 'map-line', fill: 'none', stroke: '#7b8698', 'stroke-width': 1.25 },
  mark: { class: 'map-mark', fill: 'none', stroke: '#7b8698', 'stroke-width': 1.25 },
  ring: { class: 'map-ring', fill: '#ffffff', stroke: '#7b8698', 'stroke-width': 1.25 },
  section: { class: 'map-section', fill: '#5a6577', 'font-family': FONT, 'font-size': 15, 'font-weight': 600 },
};

export const PAPER: string = '#f7f8fa';

// Draws the SVG elements of a box, relative to its upper left corner.
import type { MapTable } from './schema-graph.ts';
import { LOOKS } from './palette.ts';
import type { SvgNode } from './svg-node.ts';
import { HEAD_HEIGHT, MARK_WIDTH, PADDING, ROW_HEIGHT, type BoxRow, type TableBox } from './table-box.ts';

const RADIUS = 7;
const LABELS = { key: 'PK', foreignKey: 'FK', none: '' } as const;

export function drawBox(box: TableBox): readonly SvgNode[] {
  const { table, title, width, height, rows, hidden } = box;
  const sign = SIGNS[table.isJunction ? 'junction' : table.kind];
  return [
    { name: 'rect', attributes: { ...LOOKS.box, width, height, rx: RADIUS, ...DASHES[table.kind] } },
    { name: 'path', attributes: { ...LOOKS.head, d: headPath(width, height) } },
    write(LOOKS.title, { x: PADDING, y: 20 }, title),
    ...(sign === '' ? [] : [drawSign(sign, width)]),
    ...rows.flatMap((row, index) => drawRow(row, HEAD_HEIGHT + 3 + index * ROW_HEIGHT + 14, width)),
    ...(hidden > 0 && rows.length > 0 ? [drawHidden(hidden, HEAD_HEIGHT + 3 + rows.length * ROW_HEIGHT + 14)] : []),
  ];
}

/** Views have a dashed border, materialized views a dotted one. */
const DASHES: Readonly<Record<MapTable['kind'], SvgNode['attributes']>> = {
  table: {},
  view: { 'stroke-dasharray': '5 3' },
  materializedView: { 'stroke-dasharray': '2 2' },
  foreignTable: { 'stroke-dasharray': '9 3' },
};

/** Icon paths in a 12×12 square: a junction table, an eye, arrows to and from other schemas. */
const EYE = 'M0 6C2.5 1 9.5 1 12 6C9.5 11 2.5 11 0 6M6 4.2a1.8 1.8 0 1 0 0 3.6a1.8 1.8 0 1 0 0-3.6';
const SIGNS: Readonly<Record<MapTable['kind'] | 'junction', string>> = {
  junction: 'M0.5 2.5L6 6L0.5 9.5zM11.5 2.5L6 6L11.5 9.5z',
  table: '',
  view: EYE,
  materializedView: EYE,
  foreignTable: 'M0 3.5h10M7.5 1L10 3.5L7.5 6M12 8.5H2M4.5 6L2 8.5L4.5 11',
};

function drawSign(d: string, width: number): SvgNode {
  return { name: 'path', attributes: { ...LOOKS.sign, d, transform: `translate(${width - PADDING - 12} 9)` } };
}

function headPath(width: number, height: number): string {
  const [r, right] = [RADIUS - 0.5, width - 0.5];
  const top = `M0.5 ${HEAD_HEIGHT}V${RADIUS}A${r} ${r} 0 0 1 ${RADIUS} 0.5H${width - RADIUS}A${r} ${r} 0 0 1 ${right} ${RADIUS}`;
  if (height > HEAD_HEIGHT) return `${top}V${HEAD_HEIGHT}Z`;
  const low = height - RADIUS;
  return `M0.5 ${low}V${RADIUS}A${r} ${r} 0 0 1 ${RADIUS} 0.5H${width - RADIUS}A${r} ${r} 0 0 1 ${right} ${RADIUS}V${low}A${r} ${r} 0 0 1 ${width - RADIUS} ${height - 0.5}H${RADIUS}A${r} ${r} 0 0 1 0.5 ${low}Z`;
}

function drawRow({ mark, name, type }: BoxRow, y: number, width: number): readonly SvgNode[] {
  return [
    ...(mark === 'none' ? [] : [write(LOOKS[mark], { x: PADDING, y: y - 0.5 }, LABELS[mark])]),
    write(LOOKS.column, { x: MARK_WIDTH, y }, name),
    write(LOOKS.type, { x: width - PADDING, y }, type),
  ];
}

function drawHidden(count: number, y: number): SvgNode {
  return write(LOOKS.more, { x: MARK_WIDTH, y }, `${count} more`);
}

function write(look: SvgNode['attributes'], place: { readonly x: number; readonly y: number }, text: string): SvgNode {
  return { name: 'text', attributes: { ...look, ...place }, text };
}

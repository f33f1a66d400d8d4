// A placed box → its elements, from its upper left corner on.
import type { MapTable } from './schema-graph.ts';
import { LOOKS } from './palette.ts';
import type { SvgNode } from './svg-node.ts';
import { HEAD_HEIGHT, MARK_WIDTH, PADDING, ROW_HEIGHT, type BoxRow, type TableBox } from './table-box.ts';

const RADIUS = 7;
const LABELS = { key: 'PK', foreignKey: 'FK', none: '' } as const;

export function drawBox(box: TableBox): readonly SvgNode[] {
  const { table, title, width, height, rows, hidden } = box;
  const badge = badgeOf(table);
  return [
    { name: 'rect', attributes: { ...LOOKS.box, width, height, rx: RADIUS, ...DASHES[table.kind] } },
    { name: 'path', attributes: { ...LOOKS.head, d: headPath(width, height) } },
    write(LOOKS.title, { x: PADDING, y: 20 }, title),
    ...(badge === '' ? [] : [write({ ...LOOKS.badge, 'text-anchor': 'end' }, { x: width - PADDING, y: 20 }, badge)]),
    ...rows.flatMap((row, index) => drawRow(row, HEAD_HEIGHT + 3 + index * ROW_HEIGHT + 14, width)),
    ...(hidden > 0 && rows.length > 0 ? [drawHidden(hidden, HEAD_HEIGHT + 3 + rows.length * ROW_HEIGHT + 14)] : []),
  ];
}

/** Views have a dashed border, materialised ones a dotted one. */
const DASHES: Readonly<Record<MapTable['kind'], SvgNode['attributes']>> = {
  table: {},
  view: { 'stroke-dasharray': '5 3' },
  materializedView: { 'stroke-dasharray': '2 2' },
  foreignTable: { 'stroke-dasharray': '9 3' },
};

/** The signs of the kinds. */
function badgeOf({ kind, isJunction }: MapTable): string {
  if (isJunction) return '⋈';
  return kind === 'table' ? '' : kind === 'foreignTable' ? '⇄' : '◫';
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

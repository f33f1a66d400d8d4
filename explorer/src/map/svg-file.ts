// Renders a drawing as a self-contained SVG file.
import type { Drawing } from './drawing.ts';
import { PAPER } from './palette.ts';
import type { SvgNode } from './svg-node.ts';

const MARGIN = 24;

export function renderSvgFile({ tables, references, titles, bounds }: Drawing, title: string): string {
  const [width, height] = [bounds.width + 2 * MARGIN, bounds.height + 2 * MARGIN].map((size) => Math.ceil(size));
  const box = `${Math.floor(bounds.x - MARGIN)} ${Math.floor(bounds.y - MARGIN)} ${width} ${height}`;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${box}">`,
    `<title>${escape(title)}</title>`,
    `<rect x="${Math.floor(bounds.x - MARGIN)}" y="${Math.floor(bounds.y - MARGIN)}" width="100%" height="100%" fill="${PAPER}"/>`,
    ...references.flatMap(({ nodes }) => nodes.map((node) => renderNode(node))),
    ...titles.map((node) => renderNode(node)),
    ...tables.flatMap(({ nodes, place }) => [
      `<g transform="translate(${place.x} ${place.y})">`,
      ...nodes.map((node) => renderNode(node)),
      '</g>',
    ]),
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

function renderNode({ name, attributes, text }: SvgNode): string {
  const written = Object.entries(attributes)
    .filter(([key]) => key !== 'class')
    .map(([key, value]) => ` ${key}="${escape(String(value))}"`);
  const open = `<${name}${written.join('')}`;
  return text === undefined ? `${open}/>` : `${open}>${escape(text)}</${name}>`;
}

// eslint-disable-next-line no-control-regex -- XML cannot represent these.
const FORBIDDEN = /[\0-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escape(text: string): string {
  return text.replaceAll(FORBIDDEN, '\uFFFD').replaceAll(/[&<>"']/gu, (character) => ESCAPES[character] ?? character);
}

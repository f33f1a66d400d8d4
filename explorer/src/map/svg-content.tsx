// A drawing's data → SVG elements of the page.
import { h, type VNode } from 'preact';
import type { SvgNode } from './svg-node.ts';

export function SvgContent({ nodes }: { readonly nodes: readonly SvgNode[] }): VNode {
  return <>{nodes.map(({ name, attributes, text }, index) => h(name, { key: index, ...attributes }, text))}</>;
}

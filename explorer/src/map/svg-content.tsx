// Renders the data of a drawing as SVG elements.
import { h, type VNode } from 'preact';
import type { SvgNode } from './svg-node.ts';

export function SvgContent({ nodes }: { readonly nodes: readonly SvgNode[] }): VNode {
  return <>{nodes.map(({ name, attributes, text }, index) => h(name, { key: index, ...attributes }, text))}</>;
}

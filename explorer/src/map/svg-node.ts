// A drawing as data: SVG elements with their attributes, which the page shows and a file holds.

export interface SvgNode {
  readonly name: 'g' | 'rect' | 'path' | 'circle' | 'text';
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Of a text. */
  readonly text?: string;
}

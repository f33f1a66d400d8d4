// SVG elements as data, for the page and for files.

export interface SvgNode {
  readonly name: 'g' | 'rect' | 'path' | 'circle' | 'text';
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Content of a text element. */
  readonly text?: string;
}

// Parses a Markdown page into its fenced code blocks, in order, each with the note in the comment above it.
export interface Block {
  readonly language: string;
  readonly text: string;
  /** Line number of the opening fence, from 1. */
  readonly line: number;
  readonly note: Note | undefined;
}

export type Note =
  /** The reason why the block cannot be run. */
  | { readonly kind: 'not run'; readonly text: string }
  /** The file name under which the reader saves the block. */
  | { readonly kind: 'file'; readonly text: string }
  /** Options of the page's server from here on, one `name = value` per line. */
  | { readonly kind: 'options'; readonly text: string }
  /** The block starts a server that keeps running; it is the page's server from here on. */
  | { readonly kind: 'server'; readonly text: string };

const NOTE = /^<!-- (not run|file|options|server)(?:: |\n| (?=-->))([\s\S]*?)\s*-->$/u;
/** A table that `npm run docs -- rooms` writes. */
const GENERATED = /^<!-- (?:end of )?rooms of [\w/]+ -->$/u;
const PART = /^ *<!--[\s\S]*?-->$|^( *)(`{3,})(\w*)\n([\s\S]*?)^\1\2$/gmu;

/** A note without a block, such as `options`, yields a block without language and text. */
export function readPage(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  let note: Note | undefined;
  for (const match of markdown.matchAll(PART)) {
    const line = markdown.slice(0, match.index).split('\n').length;
    const [whole, indent = '', fence, language = '', text = ''] = match;
    if (fence !== undefined) {
      blocks.push({ language, text: text.replaceAll(new RegExp(`^${indent}`, 'gmu'), ''), line, note });
      note = undefined;
      continue;
    }
    if (GENERATED.test(whole.trim())) continue;
    const found = readNote(whole.trim(), line);
    if (found.kind === 'options') blocks.push({ language: '', text: '', line, note: found });
    else note = found;
  }
  return blocks;
}

function readNote(comment: string, line: number): Note {
  const [, kind, text = ''] = NOTE.exec(comment) ?? [];
  if (kind === undefined) throw new Error(`line ${line}: a comment that the test does not recognize: ${comment}`);
  return { kind: kind as Note['kind'], text };
}

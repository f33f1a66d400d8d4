// Renders a JSON value as a literal of a programming language.
import type { JsonValue } from '../rows/json-value.ts';

export interface LiteralStyle {
  readonly text: (value: string) => string;
  readonly key: (name: string) => string;
  /** Literals of null, true and false. */
  readonly words: { readonly null: string; readonly true: string; readonly false: string };
  /** Spaces within the braces of an object on one line. */
  readonly padding: string;
}

const MAX_LINE = 70;

/** Uses one line if it is short. */
export function renderJson(value: JsonValue, style: LiteralStyle, indent = ''): string {
  switch (value.kind) {
    case 'null':
      return style.words.null;
    case 'boolean':
      return value.value ? style.words.true : style.words.false;
    case 'number':
    case 'deep':
      return value.text;
    case 'string':
      return style.text(value.value);
    case 'array': {
      const list = (inner: string) => value.items.map((item) => renderJson(item, style, inner));
      return renderMembers(['[', ']'], list, { indent, padding: '' });
    }
    case 'object': {
      const list = (inner: string) =>
        value.entries.map(([name, item]) => `${style.key(name)}: ${renderJson(item, style, inner)}`);
      return renderMembers(['{', '}'], list, { indent, padding: style.padding });
    }
  }
}

function renderMembers(
  [open, close]: readonly [string, string],
  list: (indent: string) => readonly string[],
  { indent, padding }: { readonly indent: string; readonly padding: string },
): string {
  const inner = `${indent}  `;
  const members = list(inner);
  if (members.length === 0) return open + close;
  const line = `${open}${padding}${members.join(', ')}${padding}${close}`;
  if (line.length <= MAX_LINE && !line.includes('\n')) return line;
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}${close}`;
}

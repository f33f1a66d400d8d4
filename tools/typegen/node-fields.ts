// Parses one level of a PostgreSQL node tree: the fields of `{NAME :field value …}`, the items of `(item …)`, each as
// text. Within a token, spaces, parentheses and braces are escaped by a backslash.

export type NodeFields = ReadonlyMap<string, string>;

export function fieldsOf(node: string): NodeFields {
  const fields = new Map<string, string>();
  const [, ...items] = itemsOf(node);
  for (let at = 0; at < items.length; at += 1) {
    const [item, value] = [items[at], items[at + 1]];
    if (item?.startsWith(':') !== true || value === undefined) continue;
    fields.set(item.slice(1), value);
    at += 1;
  }
  return fields;
}

/** Returns the items between the outermost brackets. */
export function itemsOf(list: string): readonly string[] {
  const items: string[] = [];
  let start = -1;
  let depth = 0;
  for (let at = 0; at < list.length; at += 1) {
    const character = list[at];
    const isOpening = character === '(' || character === '{';
    const isClosing = character === ')' || character === '}';
    const isBetween = depth === 1 && (character === ' ' || character === '\n' || isClosing);
    if (isBetween && start !== -1) {
      items.push(list.slice(start, at));
      start = -1;
    } else if (!isBetween && depth >= 1 && start === -1) {
      start = at;
    }
    if (isOpening) depth += 1;
    if (isClosing) depth -= 1;
    if (character === '\\') at += 1;
  }
  return items;
}

// The key of a row, and the role that reads it, in the address of the page that explains it: `/notes?id=eq.3&as=web_user`.
import { decodeSegment, encodeName, encodeSegment, encodeValue } from '../url-state/readable-text.ts';
import { renderFilterField } from '../url-state/render-names.ts';

export interface RowAddress {
  readonly relation: string;
  /** Values by column; empty if the address names only the relation. */
  readonly key: Readonly<Record<string, string>>;
  /** Undefined: that of the current token. */
  readonly role?: string | undefined;
}

/** Not a filter, since its value has no operator. */
const ROLE = 'as';

/** Ignores what is not a comparison with `eq`. */
export function parseRowAddress(url: string): RowAddress {
  const [path = '', query = ''] = url.split('?', 2);
  const key = new Map<string, string>();
  let role: string | undefined;
  for (const parameter of query.split('&')) {
    const [name = '', value = ''] = parameter.split(/=(.*)/su);
    if (value.startsWith('eq.')) key.set(unquote(decodeSegment(name)), decodeSegment(value.slice(3)));
    else if (name === ROLE) role = decodeSegment(value);
  }
  return { relation: decodeSegment(path.slice(1)), key: Object.fromEntries(key), role };
}

export function renderRowAddress({ relation, key, role }: RowAddress): string {
  const query = Object.entries(key).map(
    ([name, value]) => `${encodeName(renderFilterField({ column: name, path: [] }))}=eq.${encodeValue(value)}`,
  );
  if (role !== undefined) query.push(`${ROLE}=${encodeSegment(role)}`);
  return `/${encodeSegment(relation)}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

function unquote(name: string): string {
  return /^".*"$/su.test(name) ? name.slice(1, -1).replaceAll(/\\(.)/gsu, '$1') : name;
}

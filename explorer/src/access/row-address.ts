// The key of a row in the address of the page that explains it: `/notes?id=eq.3`.
import { decodeSegment, encodeName, encodeSegment, encodeValue } from '../url-state/readable-text.ts';
import { renderFilterField } from '../url-state/render-names.ts';

export interface RowAddress {
  readonly relation: string;
  /** Values by column; empty if the address names only the relation. */
  readonly key: Readonly<Record<string, string>>;
}

/** Ignores what is not a comparison with `eq`. */
export function parseRowAddress(url: string): RowAddress {
  const [path = '', query = ''] = url.split('?', 2);
  const pairs = query.split('&').flatMap((parameter) => {
    const [name = '', value = ''] = parameter.split(/=(.*)/su);
    return value.startsWith('eq.') ? [[unquote(decodeSegment(name)), decodeSegment(value.slice(3))] as const] : [];
  });
  return { relation: decodeSegment(path.slice(1)), key: Object.fromEntries(pairs) };
}

export function renderRowAddress({ relation, key }: RowAddress): string {
  const query = Object.entries(key).map(
    ([name, value]) => `${encodeName(renderFilterField({ column: name, path: [] }))}=eq.${encodeValue(value)}`,
  );
  return `/${encodeSegment(relation)}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

function unquote(name: string): string {
  return /^".*"$/su.test(name) ? name.slice(1, -1).replaceAll(/\\(.)/gsu, '$1') : name;
}

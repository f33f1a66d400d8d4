// The key of a row, the role and what it wants to do, in the address of the page that explains it:
// `/notes?id=eq.3&as=web_user&do=update`, or `/notes?do=insert&row={"title":"a"}`.
import { ROW_ACTIONS, type RowAction } from '../../../src/contract/access-document.ts';
import { decodeSegment, encodeName, encodeSegment, encodeValue } from './readable-text.ts';
import { renderFilterField } from '../../../src/request/query/render-names.ts';

export interface RowAddress {
  readonly relation: string;
  /** Values by column; empty if the address names only the relation. */
  readonly key: Readonly<Record<string, string>>;
  /** Undefined: that of the current token. */
  readonly role?: string | undefined;
  /** Absent: `select`. */
  readonly action?: RowAction | undefined;
  /** The values of a row to insert, as JSON. */
  readonly proposed?: string | undefined;
}

/** Not filters, since their values have no operator. */
const ROLE = 'as';
const ACTION = 'do';
const PROPOSED = 'row';

/** Ignores what is not a comparison with `eq`. */
export function parseRowAddress(url: string): RowAddress {
  const [path = '', query = ''] = url.split('?', 2);
  const key = new Map<string, string>();
  let role: string | undefined;
  let action: RowAction | undefined;
  let proposed: string | undefined;
  for (const parameter of query.split('&')) {
    const [name = '', value = ''] = parameter.split(/=(.*)/su);
    if (value.startsWith('eq.')) key.set(unquote(decodeSegment(name)), decodeSegment(value.slice(3)));
    else if (name === ROLE) role = decodeSegment(value);
    else if (name === PROPOSED) proposed = decodeSegment(value);
    else if (name === ACTION) action = ROW_ACTIONS.find((one) => one === value);
  }
  const address = {
    relation: decodeSegment(path.slice(1)),
    key: Object.fromEntries(key),
    role,
    ...(proposed === undefined ? {} : { proposed }),
  };
  return action === undefined || action === 'select' ? address : { ...address, action };
}

export function renderRowAddress({ relation, key, role, action, proposed }: RowAddress): string {
  const query = Object.entries(key).map(
    ([name, value]) => `${encodeName(renderFilterField({ column: name, path: [] }))}=eq.${encodeValue(value)}`,
  );
  if (role !== undefined) query.push(`${ROLE}=${encodeSegment(role)}`);
  if (action !== undefined && action !== 'select') query.push(`${ACTION}=${action}`);
  if (proposed !== undefined) query.push(`${PROPOSED}=${encodeSegment(proposed)}`);
  return `/${encodeSegment(relation)}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

function unquote(name: string): string {
  return /^".*"$/su.test(name) ? name.slice(1, -1).replaceAll(/\\(.)/gsu, '$1') : name;
}

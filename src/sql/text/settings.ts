// The statement that makes the transaction the request's own: search path, role, claims, headers (`operating.md` §4.2).
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { Statement } from '../../contract/transaction.ts';

export type Setting = readonly [name: string, value: string];

/** What the request's sender and the configuration settle. */
export interface SenderSettings {
  readonly extraSearchPath: readonly string[];
  readonly roleSettings: readonly Setting[];
  readonly role: string;
  /** JSON text. */
  readonly claims: string;
  readonly method: string;
  readonly path: string;
  /** JSON texts of header and cookie objects. */
  readonly headers: string;
  readonly cookies: string;
  readonly appSettings: readonly Setting[];
}

/** What the request's action settles. */
export interface ActionSettings {
  readonly schema: string;
  readonly timezone: string | undefined;
  /** Of the function that is called, or what the statement relies on. */
  readonly ownSettings: readonly Setting[];
  readonly access: 'read only' | 'read write';
}

export function renderSettings(action: ActionSettings, sender: SenderSettings): Statement {
  return { text: textFor(shapeOf(action, sender)), parameters: listValues(action, sender) };
}

/** Role settings precede the role, so that a grant to the login role is enough to apply them. */
function listValues(action: ActionSettings, sender: SenderSettings): readonly string[] {
  const { timezone } = action;
  const values = [[action.schema, ...sender.extraSearchPath].map(quoteIdentifier).join(', ')];
  for (const setting of sender.roleSettings) values.push(...setting);
  values.push(sender.role, sender.claims, sender.method, sender.path, sender.headers, sender.cookies);
  if (timezone !== undefined) values.push(timezone);
  for (const setting of action.ownSettings) values.push(...setting);
  for (const [name, value] of sender.appSettings) values.push(`app.settings.${name}`, value);
  return values;
}

/** What the statement's text depends on. */
interface Shape {
  readonly roleSettings: number;
  readonly hasTimezone: boolean;
  /** Of the action and of the application. */
  readonly furtherSettings: number;
  readonly access: 'read only' | 'read write';
}

function shapeOf(
  { timezone, ownSettings, access }: ActionSettings,
  { roleSettings, appSettings }: SenderSettings,
): Shape {
  const furtherSettings = ownSettings.length + appSettings.length;
  return { roleSettings: roleSettings.length, hasTimezone: timezone !== undefined, furtherSettings, access };
}

/** Kept because a text that is always the same object need not be hashed again to find its prepared statement. */
const TEXTS: Map<string, string> = new Map();

function textFor(shape: Shape): string {
  const key = `${shape.roleSettings} ${shape.hasTimezone} ${shape.furtherSettings} ${shape.access}`;
  const known = TEXTS.get(key);
  if (known !== undefined) return known;
  const text = renderText(shape);
  TEXTS.set(key, text);
  return text;
}

/** Names the values in the order of `listValues`. */
function renderText({ roleSettings, hasTimezone, furtherSettings, access }: Shape): string {
  let count = 0;
  const bind = (): string => `$${(count += 1)}`;
  const set = (name: string): string => `set_config('${name}', ${bind()}, true)`;
  const setNamed = (): string => `set_config(${bind()}, ${bind()}, true)`;
  const calls = [
    set('search_path'),
    ...Array.from({ length: roleSettings }, setNamed),
    set('role'),
    set('request.jwt.claims'),
    set('request.method'),
    set('request.path'),
    set('request.headers'),
    set('request.cookies'),
    ...(hasTimezone ? [set('timezone')] : []),
    ...Array.from({ length: furtherSettings }, setNamed),
    ...(access === 'read only' ? [`set_config('transaction_read_only', 'on', true)`] : []),
  ];
  // No value is null, so that all are set and none is sent back.
  return `SELECT WHERE ${calls.map((call) => `${call} IS NULL`).join(' OR ')}`;
}

// Renders the statement that applies the request's settings: search path, role, claims, headers (`operating.md` §4.2).
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { Statement } from '../../contract/transaction.ts';

export type Setting = readonly [name: string, value: string];

/** Settings that depend on the sender and the configuration. */
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
  /** Undefined if the database is not told of traces; empty if the request has none. */
  readonly traceparent?: string | undefined;
}

/** Settings that depend on the action. */
export interface ActionSettings {
  readonly schema: string;
  readonly timezone: string | undefined;
  /** Settings of the called function, or those that the statement relies on. */
  readonly ownSettings: readonly Setting[];
  readonly access: 'read only' | 'read write';
}

export function renderSettings(action: ActionSettings, sender: SenderSettings): Statement {
  return { text: textFor(shapeOf(action, sender)), parameters: listValues(action, sender) };
}

/** Role settings precede the role, so that granting them to the login role is enough. */
function listValues(action: ActionSettings, sender: SenderSettings): readonly string[] {
  const { timezone } = action;
  const values = [[action.schema, ...sender.extraSearchPath].map(quoteIdentifier).join(', ')];
  for (const setting of sender.roleSettings) values.push(...setting);
  values.push(sender.role, sender.claims, sender.method, sender.path, sender.headers, sender.cookies);
  if (sender.traceparent !== undefined) values.push(sender.traceparent);
  if (timezone !== undefined) values.push(timezone);
  for (const setting of action.ownSettings) values.push(...setting);
  for (const [name, value] of sender.appSettings) values.push(`app.settings.${name}`, value);
  return values;
}

/** The properties that determine the text of the statement. */
interface Shape {
  readonly roleSettings: number;
  readonly hasTraceparent: boolean;
  readonly hasTimezone: boolean;
  /** Number of settings of the action and of the application. */
  readonly furtherSettings: number;
  readonly access: 'read only' | 'read write';
}

function shapeOf(
  { timezone, ownSettings, access }: ActionSettings,
  { roleSettings, appSettings, traceparent }: SenderSettings,
): Shape {
  const furtherSettings = ownSettings.length + appSettings.length;
  return {
    roleSettings: roleSettings.length,
    hasTraceparent: traceparent !== undefined,
    hasTimezone: timezone !== undefined,
    furtherSettings,
    access,
  };
}

/** Reuses string objects, because V8 then need not rehash them to look up the prepared statement. */
const TEXTS: Map<string, string> = new Map();

function textFor(shape: Shape): string {
  const key = `${shape.roleSettings} ${shape.hasTraceparent} ${shape.hasTimezone} ${shape.furtherSettings} ${shape.access}`;
  const known = TEXTS.get(key);
  if (known !== undefined) return known;
  const text = renderText(shape);
  TEXTS.set(key, text);
  return text;
}

/** Numbers the parameters in the order of `listValues`. */
function renderText({ roleSettings, hasTraceparent, hasTimezone, furtherSettings, access }: Shape): string {
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
    ...(hasTraceparent ? [set('request.traceparent')] : []),
    ...(hasTimezone ? [set('timezone')] : []),
    ...Array.from({ length: furtherSettings }, setNamed),
    ...(access === 'read only' ? [`set_config('transaction_read_only', 'on', true)`] : []),
  ];
  // No value is null, so all are set and no row is returned.
  return `SELECT WHERE ${calls.map((call) => `${call} IS NULL`).join(' OR ')}`;
}

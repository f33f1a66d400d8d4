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

/** A statement of an earlier request, for requests that differ in nothing but values of other statements. */
interface Kept {
  readonly action: ActionSettings;
  readonly sender: SenderSettings;
  statement: Statement;
}

const kept: Kept[] = [];
const MAX_KEPT = 16;
/** Characters of headers and claims above which a statement is not kept. */
const MAX_KEPT_LENGTH = 4096;
let keptCount = 0;

/** Clients repeat their headers, so the same settings are sent again and again. */
export function renderSettings(action: ActionSettings, sender: SenderSettings): Statement {
  // A trace belongs to one request.
  if (sender.traceparent !== undefined) return render(action, sender);
  for (const one of kept) {
    // Compares first what differs most often.
    if (one.sender.headers === sender.headers && one.sender.path === sender.path && isSame(one, action, sender)) {
      if (one.statement.memo === undefined) one.statement = { ...one.statement, memo: { bytes: undefined } };
      return one.statement;
    }
  }
  const statement = render(action, sender);
  if (sender.headers.length + sender.claims.length <= MAX_KEPT_LENGTH) {
    kept[keptCount % MAX_KEPT] = { action, sender, statement };
    keptCount += 1;
  }
  return statement;
}

function isSame({ action: former, sender: other }: Kept, action: ActionSettings, sender: SenderSettings): boolean {
  return (
    former.schema === action.schema &&
    former.timezone === action.timezone &&
    former.access === action.access &&
    isSameList(former.ownSettings, action.ownSettings) &&
    other.method === sender.method &&
    other.role === sender.role &&
    other.claims === sender.claims &&
    other.cookies === sender.cookies &&
    other.extraSearchPath === sender.extraSearchPath &&
    other.appSettings === sender.appSettings &&
    isSameList(other.roleSettings, sender.roleSettings)
  );
}

/** Lists that are not empty belong to the configuration, a role or a function. */
function isSameList(one: readonly Setting[], other: readonly Setting[]): boolean {
  return one === other || (one.length === 0 && other.length === 0);
}

function render(action: ActionSettings, sender: SenderSettings): Statement {
  return { text: textFor(action, sender), parameters: listValues(action, sender) };
}

/** Role settings precede the role, so that granting them to the login role is enough. */
function listValues(action: ActionSettings, sender: SenderSettings): readonly string[] {
  const { timezone, ownSettings } = action;
  const { roleSettings, role, claims, method, path, headers, cookies, traceparent, appSettings } = sender;
  const searchPath = searchPathFor(action.schema, sender.extraSearchPath);
  const values =
    roleSettings.length === 0
      ? [searchPath, role, claims, method, path, headers, cookies]
      : [searchPath, ...roleSettings.flat(), role, claims, method, path, headers, cookies];
  if (traceparent !== undefined) values.push(traceparent);
  if (timezone !== undefined) values.push(timezone);
  for (const setting of ownSettings) values.push(...setting);
  for (const [name, value] of appSettings) values.push(`app.settings.${name}`, value);
  return values;
}

/** By the extra search path of a configuration, then by schema. */
const SEARCH_PATHS: WeakMap<readonly string[], Map<string, string>> = new WeakMap();

/** @param schema an exposed one, so there are few of them */
function searchPathFor(schema: string, extraSearchPath: readonly string[]): string {
  let bySchema = SEARCH_PATHS.get(extraSearchPath);
  if (bySchema === undefined) SEARCH_PATHS.set(extraSearchPath, (bySchema = new Map()));
  let searchPath = bySchema.get(schema);
  if (searchPath === undefined)
    bySchema.set(schema, (searchPath = [schema, ...extraSearchPath].map(quoteIdentifier).join(', ')));
  return searchPath;
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

/** Reuses string objects, because V8 then need not rehash them to look up the prepared statement. */
const TEXTS: Map<number, string> = new Map();
/** More than a role or a configuration has settings. */
const MAX_SETTINGS = 65_536;

function textFor(
  { timezone, ownSettings, access }: ActionSettings,
  { roleSettings: ofRole, appSettings, traceparent }: SenderSettings,
): string {
  const furtherSettings = ownSettings.length + appSettings.length;
  const roleSettings = ofRole.length;
  const hasTraceparent = traceparent !== undefined;
  const hasTimezone = timezone !== undefined;
  const flags = (hasTraceparent ? 1 : 0) + (hasTimezone ? 2 : 0) + (access === 'read only' ? 4 : 0);
  const key = (roleSettings * MAX_SETTINGS + furtherSettings) * 8 + flags;
  let text = TEXTS.get(key);
  if (text === undefined)
    TEXTS.set(key, (text = renderText({ roleSettings, hasTraceparent, hasTimezone, furtherSettings, access })));
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

// The statement that makes the transaction the request's own: search path, role, claims, headers (`operating.md` §4.2).
import { quoteIdentifier } from '../contract/identifiers.ts';
import type { Statement } from '../contract/transaction.ts';

export type Setting = readonly [name: string, value: string];

export interface RequestSettingsInput {
  readonly schema: string;
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
  readonly timezone: string | undefined;
  readonly functionSettings: readonly Setting[];
  readonly appSettings: readonly Setting[];
  readonly access: 'read only' | 'read write';
}

export function renderSettings(input: RequestSettingsInput): Statement {
  return { text: textFor(shapeOf(input)), parameters: listValues(input) };
}

/** Role settings precede the role, so that a grant to the login role is enough to apply them. */
function listValues(input: RequestSettingsInput): readonly string[] {
  const { timezone } = input;
  const values = [[input.schema, ...input.extraSearchPath].map(quoteIdentifier).join(', ')];
  for (const setting of input.roleSettings) values.push(...setting);
  values.push(input.role, input.claims, input.method, input.path, input.headers, input.cookies);
  if (timezone !== undefined) values.push(timezone);
  for (const setting of input.functionSettings) values.push(...setting);
  for (const [name, value] of input.appSettings) values.push(`app.settings.${name}`, value);
  return values;
}

/** What the statement's text depends on. */
interface Shape {
  readonly roleSettings: number;
  readonly hasTimezone: boolean;
  /** Of the function and of the application. */
  readonly furtherSettings: number;
  readonly access: 'read only' | 'read write';
}

function shapeOf({ roleSettings, timezone, functionSettings, appSettings, access }: RequestSettingsInput): Shape {
  const furtherSettings = functionSettings.length + appSettings.length;
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
  return `SELECT ${calls.join(', ')}`;
}

// The statement that makes the transaction the request's own: search path, role, claims, headers (`operations.md` §4.2).
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

/** Role settings precede the role, so that a grant to the login role is enough to apply them. */
export function renderSettings(input: RequestSettingsInput): Statement {
  const parameters: string[] = [];
  const bind = (value: string) => `$${parameters.push(value)}`;
  const set = (name: string, value: string) => `set_config('${name}', ${bind(value)}, true)`;
  const setNamed = ([name, value]: Setting) => `set_config(${bind(name)}, ${bind(value)}, true)`;
  const calls = [
    set('search_path', [input.schema, ...input.extraSearchPath].map(quoteIdentifier).join(', ')),
    ...input.roleSettings.map(setNamed),
    set('role', input.role),
    set('request.jwt.claims', input.claims),
    set('request.method', input.method),
    set('request.path', input.path),
    set('request.headers', input.headers),
    set('request.cookies', input.cookies),
    ...(input.timezone === undefined ? [] : [set('timezone', input.timezone)]),
    ...input.functionSettings.map(setNamed),
    ...input.appSettings.map(([name, value]) => setNamed([`app.settings.${name}`, value])),
    ...(input.access === 'read only' ? [`set_config('transaction_read_only', 'on', true)`] : []),
  ];
  return { text: `SELECT ${calls.join(', ')}`, parameters };
}

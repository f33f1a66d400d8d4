// Reads the arguments of `init`. Missing options are asked for or get defaults later.
import { fail, ok, type Result } from '../../contract/result.ts';
import type { CommandOf } from '../arguments/command.ts';
import type { Flag } from '../arguments/flags.ts';
import type { Words } from '../arguments/read-words.ts';

export const INIT_DEFAULTS = {
  schema: 'api',
  anonRole: 'web_anon',
  loginRole: 'authenticator',
  file: 'rowhouse.conf',
} as const;

const { schema, anonRole, loginRole, file } = INIT_DEFAULTS;

export const INIT_FLAGS: readonly Flag[] = [
  { name: 'schema', value: 'NAME', doc: `Schema to serve, created if missing (default: ${schema})` },
  { name: 'anon-role', value: 'NAME', doc: `Role of requests without a token (default: ${anonRole})` },
  { name: 'login-role', value: 'NAME', doc: `New login role for the server (default: ${loginRole})` },
  {
    name: 'password-file',
    value: 'PATH',
    doc: 'File with the password of the login role (default: a random password)',
  },
  { name: 'file', value: 'PATH', doc: `Configuration file to write (default: ${file})` },
  { name: 'yes', doc: 'Run the SQL and write the file without asking' },
  { name: 'print', doc: 'Only show the SQL, including the password' },
  { name: 'force', doc: 'Overwrite the configuration file' },
];

export function readInitWords({ operands, values, switches }: Words): Result<CommandOf<'init'>, string> {
  // The message does not repeat the URI, because it may contain a password.
  if (operands.length > 1) return fail('init takes at most one URI');
  if (switches.has('yes') && switches.has('print')) return fail('Specify only one of --yes, --print');
  const last = (name: string): string | undefined => values.get(name)?.at(-1);
  if (last('schema')?.includes(',') === true) return fail('--schema requires one name, without a comma');
  return ok({
    kind: 'init',
    uri: operands[0],
    schema: last('schema'),
    anonRole: last('anon-role'),
    loginRole: last('login-role'),
    passwordFile: last('password-file'),
    file: last('file'),
    mode: switches.has('yes') ? 'run' : switches.has('print') ? 'print' : 'ask',
    isForced: switches.has('force'),
  });
}

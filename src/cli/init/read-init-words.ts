// The words behind `init` → the options of its run; the rest is asked for or chosen.
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
  { name: 'schema', value: 'NAME', doc: `Schema to serve, made where it is missing (default: ${schema})` },
  { name: 'anon-role', value: 'NAME', doc: `Role of requests without a token (default: ${anonRole})` },
  { name: 'login-role', value: 'NAME', doc: `New role as which the server logs in (default: ${loginRole})` },
  { name: 'password-file', value: 'PATH', doc: 'File with the password of that role; else a random one' },
  { name: 'file', value: 'PATH', doc: `Configuration file to write (default: ${file})` },
  { name: 'yes', doc: 'Run the SQL and write the file without asking' },
  { name: 'print', doc: 'Only show the SQL, with the password in it' },
  { name: 'force', doc: 'Write over the configuration file' },
];

export function readInitWords({ operands, values, switches }: Words): Result<CommandOf<'init'>, string> {
  // Not repeated: there may be a password in it.
  if (operands.length > 1) return fail('The command init takes one URI');
  if (switches.has('yes') && switches.has('print')) return fail('Only one of --yes, --print can be given');
  const last = (name: string): string | undefined => values.get(name)?.at(-1);
  if (last('schema')?.includes(',') === true) return fail('--schema needs one name, without a comma');
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

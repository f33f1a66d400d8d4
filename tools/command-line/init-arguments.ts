// Reads the arguments of `init`. Missing options are asked for or get defaults later.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { CommandOf } from './command.ts';
import type { Flag } from './flags.ts';
import type { Arguments } from './arguments.ts';

export const INIT_DEFAULTS = {
  schema: 'api',
  anonRole: 'web_anon',
  loginRole: 'authenticator',
  editorRole: 'web_editor',
  file: 'rowhouse.conf',
} as const;

/** In place of names: every table that nobody can access. */
export const ALL = 'all';

const { schema, anonRole, loginRole, file } = INIT_DEFAULTS;

export const INIT_FLAGS: readonly Flag[] = [
  {
    name: 'schema',
    value: 'NAME',
    doc: `Schema to serve, created if missing (default: ${schema}, or the schema with the most tables)`,
  },
  { name: 'anon-role', value: 'NAME', doc: `Role of requests without a token (default: ${anonRole})` },
  { name: 'login-role', value: 'NAME', doc: `New login role for the server (default: ${loginRole})` },
  {
    name: 'read',
    value: 'TABLES',
    doc: `Let requests without a token read these existing tables: names separated by commas, or ${ALL}`,
  },
  { name: 'write', value: 'TABLES', doc: 'Let them read and change the rows of these tables' },
  {
    name: 'policy',
    value: 'TABLES',
    doc: 'Enable row-level security on these tables, with a policy that allows all rows, for you to restrict',
  },
  { name: 'read-future', doc: 'Let them read every table that is created in the schema later' },
  { name: 'write-future', doc: 'Let them also change the rows of those tables' },
  {
    name: 'editor-role',
    value: 'NAME',
    doc: 'Also create a role whose tokens may read and change the rows of every table of the schema (default: none)',
  },
  { name: 'edit-future', doc: 'Let that role do so with every table that is created in the schema later' },
  {
    name: 'password-file',
    value: 'PATH',
    doc: 'File with the password of the login role (default: a random password)',
  },
  { name: 'file', value: 'PATH', doc: `Configuration file to write (default: ${file})` },
  {
    name: 'idempotency',
    doc: 'Only create the table that stores responses to requests with an Idempotency-Key, in the schema idempotency or that of --schema',
  },
  {
    name: 'live',
    doc: 'Only set up that the rows of the schema can be watched: a publication of its tables, REPLICATION for the login role, wal_level',
  },
  { name: 'yes', doc: 'Run the SQL and write the file without asking' },
  { name: 'print', doc: 'Only show the SQL, including the password' },
  { name: 'force', doc: 'Overwrite the configuration file' },
];

export function readInitArguments({ operands, values, switches }: Arguments): Result<CommandOf<'init'>, string> {
  // The message does not repeat the URI, because it may contain a password.
  if (operands.length > 1) return fail('init takes at most one URI');
  if (switches.has('yes') && switches.has('print')) return fail('Specify only one of --yes, --print');
  if (switches.has('idempotency') && switches.has('live')) return fail('Specify only one of --idempotency, --live');
  const last = (name: string): string | undefined => values.get(name)?.at(-1);
  const listed = (name: string): readonly string[] =>
    (values.get(name) ?? []).flatMap((text) => text.split(',')).map((table) => table.trim());
  if (last('schema')?.includes(',') === true) return fail('--schema requires one name, without a comma');
  const editorRole = last('editor-role');
  if (switches.has('edit-future') && editorRole === undefined) return fail('--edit-future requires --editor-role');
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
    isIdempotency: switches.has('idempotency'),
    isLive: switches.has('live'),
    tables: { read: listed('read'), write: listed('write'), policy: listed('policy') },
    editorRole,
    future: {
      isReadable: switches.has('read-future'),
      isWritable: switches.has('write-future'),
      isEditable: switches.has('edit-future'),
    },
  });
}

import { fail, ok } from '../../src/contract/result.ts';
import { ALL, INIT_DEFAULTS } from '../command-line/choices.ts';
import { type Command, defineCommand } from '../command-line/command.ts';

const { schema, anonRole, loginRole, file } = INIT_DEFAULTS;

export const init: Command = defineCommand({
  name: 'init',
  operands: '[URI]',
  doc: 'Set up a database: show the SQL for roles, privileges and the reload trigger, run it after you confirm, and write the configuration file',
  flags: {
    '--schema NAME': `Schema to serve, created if missing (default: ${schema}, or the schema with the most tables)`,
    '--anon-role NAME': `Role of requests without a token (default: ${anonRole})`,
    '--login-role NAME': `New login role for the server (default: ${loginRole})`,
    '--read TABLES': `Let requests without a token read these existing tables: names separated by commas, or ${ALL}`,
    '--write TABLES': 'Let them read and change the rows of these tables',
    '--policy TABLES':
      'Enable row-level security on these tables, with a policy that allows all rows, for you to restrict',
    '--read-future': 'Let them read every table that is created in the schema later',
    '--write-future': 'Let them also change the rows of those tables',
    '--editor-role NAME':
      'Also create a role whose tokens may read and change the rows of every table of the schema (default: none)',
    '--edit-future': 'Let that role do so with every table that is created in the schema later',
    '--password-file PATH': 'File with the password of the login role (default: a random password)',
    '--file PATH': `Configuration file to write (default: ${file})`,
    '--idempotency':
      'Only create the table that stores responses to requests with an Idempotency-Key, in the schema idempotency or that of --schema',
    '--live':
      'Only set up that the rows of the schema can be watched: a publication of its tables, REPLICATION for the login role, wal_level',
    '--yes': 'Run the SQL and write the file without asking',
    '--print': 'Only show the SQL, including the password',
    '--force': 'Overwrite the configuration file',
  },
  read({ operands, has, value, values }) {
    // The message does not repeat the URI, because it may contain a password.
    if (operands.length > 1) return fail('init takes at most one URI');
    if (has('yes') && has('print')) return fail('Specify only one of --yes, --print');
    if (has('idempotency') && has('live')) return fail('Specify only one of --idempotency, --live');
    const listed = (name: 'read' | 'write' | 'policy'): readonly string[] =>
      values(name).flatMap((text) => text.split(',').map((table) => table.trim()));
    if (value('schema')?.includes(',') === true) return fail('--schema requires one name, without a comma');
    const editorRole = value('editor-role');
    if (has('edit-future') && editorRole === undefined) return fail('--edit-future requires --editor-role');
    const mode: 'ask' | 'run' | 'print' = has('yes') ? 'run' : has('print') ? 'print' : 'ask';
    return ok({
      uri: operands[0],
      schema: value('schema'),
      anonRole: value('anon-role'),
      loginRole: value('login-role'),
      passwordFile: value('password-file'),
      file: value('file'),
      mode,
      isForced: has('force'),
      isIdempotency: has('idempotency'),
      isLive: has('live'),
      tables: { read: listed('read'), write: listed('write'), policy: listed('policy') },
      editorRole,
      future: { isReadable: has('read-future'), isWritable: has('write-future'), isEditable: has('edit-future') },
    });
  },
  run: async (options) => (await import('../init/initialize.ts')).initialize(options),
});

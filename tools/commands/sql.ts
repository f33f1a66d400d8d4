import { fail, ok } from '../../src/contract/result.ts';
import { type Command, defineCommand } from '../command-line/command.ts';
import { isProjectFolder } from '../command-line/operands.ts';
import { printError } from '../command-line/print.ts';

export const sql: Command = defineCommand({
  name: 'sql',
  operands: '[FILE.sql]',
  doc: 'Run an SQL file in the embedded database of the demo; in the folder of a project that `dev` serves, run it in its database, or open psql there',
  flags: {
    '--database NAME': "Database to use beside the demo's, created if missing (default: the project's, or the demo's)",
  },
  failure: 1,
  read({ operands: [file, ...others], value }) {
    const database = value('database');
    if (others.length > 0 || (file === undefined && database !== undefined))
      return fail('sql requires exactly one file');
    return ok({ file, database });
  },
  /** In the folder of a project, its database is meant unless another one is named. */
  async run({ file, database }) {
    if (database === undefined && isProjectFolder('.'))
      return (await import('../project/dev/open-sql.ts')).openProjectSql(process.cwd(), file);
    if (file !== undefined) return (await import('../demo/load-user-sql.ts')).loadSql(file, database);
    return printError(
      'This is not the folder of a project. Name a file to run in the database of the demo: sql FILE.sql',
    );
  },
});

import { ok } from '../../src/contract/result.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';
import { type Command, defineCommand } from '../command-line/command.ts';
import { findProject } from '../command-line/operands.ts';
import { printError } from '../command-line/print.ts';

export const types: Command = defineCommand({
  name: 'types',
  operands: '[--OPTION VALUE]... [DIR | FILE] [URI]',
  doc: 'Show TypeScript types of the exposed schemas, for typed clients; with a folder of SQL files, of the database that they make (default: this folder, if it has schema/ and no option names a database)',
  flags: {
    '--exact-functions': 'Include null in the types of function arguments and results where PostgreSQL allows it',
  },
  isConfigured: true,
  read: ({ has }) => ok({ areFunctionsExact: has('exact-functions') }),
  async run(options, { location }) {
    const project = findProject(location.file);
    if (!project.ok) return printError(project.error);
    if (project.value !== undefined && (location.file !== undefined || !(await isDatabaseGiven(location))))
      return (await import('../check/project-types.ts')).printProjectTypes(project.value, options);
    return (await import('../inspect/dump.ts')).dumpTypes(location, options);
  },
});

/** A database that is named for the server is meant even in the folder of a project. */
async function isDatabaseGiven(location: ConfigLocation): Promise<boolean> {
  const [{ createConfigReader }, { namesDatabase }] = await Promise.all([
    import('../../src/service/configuration/read-config.ts'),
    import('../support/configuration.ts'),
  ]);
  const config = createConfigReader({ ...location, isLenient: true })(new Map(), undefined);
  // The command reports a configuration that cannot be read.
  return !config.ok || namesDatabase(config.value, location);
}

import { type Command, defineCommand } from '../command-line/command.ts';
import { findProject } from '../command-line/operands.ts';
import { printError } from '../command-line/print.ts';
import { ok } from '../../src/contract/result.ts';

export const dev: Command = defineCommand({
  name: 'dev',
  operands: '[--OPTION VALUE]... [DIR | FILE] [URI]',
  doc: 'Serve for local development: on this machine only, without tokens, picking up schema changes; uses the embedded database if you name none. With a folder of SQL files, make the database from schema/ and follow every save',
  flags: {
    '--role NAME': 'Role of requests without a token (default: db-anon-role, or the login role)',
    '--inspect-uri URI':
      'Connection of an owner of the tables, for the SQL page and the explanations of the explorer only; @FILE reads it from a file',
    '--types FILE': 'Write TypeScript types to FILE after each change of a project',
    '--allow-loss': 'Apply changes of a project that lose data, without asking',
    '--roles': 'On your own server, run all of roles.sql, not only what creates missing roles',
    '--reseed': 'Empty the tables of a project and run seed/ again',
    '--fresh': 'Recreate the database of a project from schema/ and seed/',
  },
  isConfigured: true,
  failure: 2,
  read: ({ has, value }) =>
    ok({
      role: value('role'),
      inspectUri: value('inspect-uri'),
      typesFile: value('types'),
      isLossAllowed: has('allow-loss'),
      areRolesApplied: has('roles'),
      isFresh: has('fresh'),
      isReseeded: has('reseed'),
    }),
  findServing: () => 'interactive',
  async run(options, { location, signals }) {
    const { serve } = await import('../../src/server/serve.ts');
    const project = findProject(location.file);
    if (!project.ok) return refuseProject(project.error);
    if (project.value === undefined) {
      const { planDev } = await import('../dev/plan-dev.ts');
      return serve(await planDev(options, location), { hasRuntimeMetrics: false, signals });
    }
    const { planProject } = await import('../project/dev/plan-project.ts');
    const { createSaveCheck } = await import('../check/check-saved.ts');
    const plan = await planProject(options, project.value, location, createSaveCheck(project.value));
    return plan.ok ? serve(plan, { hasRuntimeMetrics: false, signals }) : refuseProject(plan.error);
  },
});

/** Ends with the exit code of what could not run (`project.md` §7). */
function refuseProject(message: string): never {
  printError(message);
  // Abandoned connection attempts may still keep the event loop alive.
  process.exit(2);
}

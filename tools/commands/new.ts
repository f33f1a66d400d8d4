import { fail, ok } from '../../src/contract/result.ts';
import { TEMPLATE_NAMES } from '../command-line/choices.ts';
import { type Command, defineCommand } from '../command-line/command.ts';

const [DEFAULT_TEMPLATE] = TEMPLATE_NAMES;

export const newProject: Command = defineCommand({
  name: 'new',
  operands: 'NAME',
  doc: 'Write a project of SQL files: schema, roles, policies, rows, and a front end',
  flags: { '--template NAME': `What to begin with: ${TEMPLATE_NAMES.join(', ')} (default: ${DEFAULT_TEMPLATE})` },
  failure: 2,
  read({ operands: [name, ...others], value }) {
    if (name === undefined || name.trim() === '' || others.length > 0)
      return fail('new requires the name of one folder');
    const given = value('template') ?? DEFAULT_TEMPLATE;
    const template = TEMPLATE_NAMES.find((known) => known === given);
    return template === undefined
      ? fail(`--template requires one of ${TEMPLATE_NAMES.join(', ')}`)
      : ok({ name, template });
  },
  run: async (options) => (await import('../new/write-project.ts')).createProject(options),
});

import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { type Command, defineCommand, findCommand, renderUnknownCommand } from '../command-line/command.ts';
import { OPTION_GROUPS } from '../command-line/flags.ts';
import type { HelpTopic } from '../command-line/help.ts';
import { print } from '../command-line/print.ts';

export const help: Command = defineCommand({
  name: 'help',
  operands: '[COMMAND | options [GROUP]]',
  doc: 'Show help for a command, or for all configuration options or a group of them',
  flags: {},
  read({ operands: [about, group] }, { program }): Result<HelpTopic, string> {
    if (about === 'options') {
      if (group === undefined || OPTION_GROUPS.some(({ key }) => key === group)) return ok({ group });
      return fail(`Unknown group: ${group}\nGroups of options: ${OPTION_GROUPS.map(({ key }) => key).join(', ')}`);
    }
    const isKnown = about === undefined || findCommand(program, about) !== undefined;
    return isKnown ? ok(about) : fail(renderUnknownCommand(program, about));
  },
  async run(about, { program, location }) {
    const [{ renderHelp }, { readDialect }] = await Promise.all([
      import('../command-line/help.ts'),
      import('../../src/service/configuration/read-config.ts'),
    ]);
    // Help uses the default names if the dialect cannot be read.
    const chosen = readDialect(location);
    const dialect = chosen.ok ? chosen.value : SVC_DIALECT;
    const isColored = process.stdout.isTTY && process.stdout.hasColors();
    return print(renderHelp(program, about, { dialect, isColored }));
  },
});

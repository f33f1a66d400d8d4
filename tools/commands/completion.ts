import { fail, ok } from '../../src/contract/result.ts';
import { type Command, defineCommand } from '../command-line/command.ts';
import { print } from '../command-line/print.ts';
import { SHELLS } from '../command-line/choices.ts';

export const completion: Command = defineCommand({
  name: 'completion',
  operands: SHELLS.join('|'),
  doc: 'Show a script that enables completion of commands and options in your shell',
  flags: {},
  read({ operands: [name, ...others] }) {
    const shell = SHELLS.find((known) => known === name);
    return shell === undefined || others.length > 0
      ? fail(`completion requires one of ${SHELLS.join(', ')}`)
      : ok(shell);
  },
  run: async (shell, { program }) =>
    print((await import('../command-line/completion.ts')).renderCompletion(program, shell)),
});

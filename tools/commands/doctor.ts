import { ok } from '../../src/contract/result.ts';
import { type Command, defineCommand, SOURCE } from '../command-line/command.ts';

export const doctor: Command = defineCommand({
  name: 'doctor',
  operands: SOURCE,
  doc: 'Check roles, policies, secrets and indexes, and report problems, each with the SQL that fixes it; exits with 2 for errors, 1 for warnings, else 0',
  flags: {
    '--verbose': 'Show notes too, which need no fix',
    '--json': 'Report everything as JSON',
    '--fix': 'Also write the SQL of what is shown to a file in migrations/, without running it',
  },
  isConfigured: true,
  failure: 2,
  read: ({ has }) => ok({ isJson: has('json'), isVerbose: has('verbose'), isFix: has('fix') }),
  run: async (options, { location }) => (await import('../check/examine.ts')).examine(options, location),
});

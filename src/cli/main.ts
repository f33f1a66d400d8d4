#!/usr/bin/env node
// The program: arguments → one command, run to its end.
import { renderUsageError } from './help.ts';
import { parseInvocation } from './invocation.ts';
import { runCommand } from './run-command.ts';

// Who reads the output may go away, which is no reason to end.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const invocation = parseInvocation(process.argv.slice(2));
if (invocation.ok) {
  process.exitCode = await runCommand(invocation.value);
} else {
  process.stderr.write(renderUsageError(invocation.error));
  process.exitCode = 1;
}

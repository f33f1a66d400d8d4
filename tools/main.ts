#!/usr/bin/env node
// Entry point of the program: parses the arguments and runs one command.
import { OLDEST_NODE, isNodeTooOld } from './command-line/check-node.ts';
import { addEnvironmentFile } from './command-line/environment-file.ts';
import { identifyCommand, parseInvocation } from './command-line/invocation.ts';
import { PROGRAM } from './commands/index.ts';
import { ProcessSignals } from '../src/server/process-signals.ts';
import { limitYoungGeneration } from '../src/service/supervision/young-generation.ts';

// The reader of the output may close its end of the pipe; that must not crash the process.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

if (isNodeTooOld(process.versions.node)) {
  process.stderr.write(`rowhouse requires Node ${OLDEST_NODE} or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}
const args = process.argv.slice(2);
addEnvironmentFile(args, process.env);
const invocation = parseInvocation(PROGRAM, args, process.env);
if (invocation.ok) {
  const signals = new ProcessSignals();
  const { serving } = invocation.value;
  const isInteractive = serving === 'interactive';
  if (serving !== undefined) {
    signals.catch({ endsWithTerminal: isInteractive && process.stdin.isTTY });
    limitYoungGeneration();
  }
  if (isInteractive && process.env['npm_lifecycle_event'] !== undefined) signals.endWithParent();
  // Imported only now, because a reload signal would end the process until signals are caught.
  const { runCommand } = await import('./run-command.ts');
  process.exitCode = await runCommand(PROGRAM, invocation.value, signals);
} else {
  const { renderUsageError } = await import('./command-line/help.ts');
  const command = identifyCommand(PROGRAM, args);
  process.stderr.write(renderUsageError(PROGRAM, command, invocation.error));
  process.exitCode = command.failure ?? 1;
}

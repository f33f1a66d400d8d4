#!/usr/bin/env node
// The program: arguments → one command, run to its end.
import { OLDEST_NODE, isNodeTooOld } from './check-node.ts';
import { nameCommand, parseInvocation } from './invocation.ts';
import { ProcessSignals } from './serve/process-signals.ts';

// Who reads the output may go away, which is no reason to end.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

if (isNodeTooOld(process.versions.node)) {
  process.stderr.write(`rowhouse needs Node ${OLDEST_NODE} or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}
const args = process.argv.slice(2);
const invocation = parseInvocation(args, process.env);
if (invocation.ok) {
  const signals = new ProcessSignals();
  const { command } = invocation.value;
  const isInteractive = command.kind === 'dev' || (command.kind === 'serve' && command.demo !== 'unwanted');
  if (command.kind === 'serve' || isInteractive)
    signals.catch({ endsWithTerminal: isInteractive && process.stdin.isTTY });
  if (isInteractive && process.env['npm_lifecycle_event'] !== undefined) signals.endWithParent();
  // Loaded only now: until signals are caught, one that asks for a reload would end the process.
  const { runCommand } = await import('./run-command.ts');
  process.exitCode = await runCommand(invocation.value, signals);
} else {
  const { renderUsageError } = await import('./help.ts');
  process.stderr.write(renderUsageError(invocation.error, nameCommand(args)));
  process.exitCode = 1;
}

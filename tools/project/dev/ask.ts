// Asks on the terminal and in the explorer at once: the first answer counts, and the other question goes away.
import { createInterface } from 'node:readline/promises';
import type { Ask } from './loop-parts.ts';
import { renderQuestion } from './report.ts';

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Returns undefined at once without a terminal. */
export async function askAPerson(
  [question, signal]: Parameters<Ask>,
  askInExplorer: Ask,
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): ReturnType<Ask> {
  if (terminal.input.isTTY !== true || terminal.output.isTTY !== true) return undefined;
  const answered = new AbortController();
  const either = AbortSignal.any([signal, answered.signal]);
  const onTerminal = askOnTerminal(renderQuestion(question), either, terminal);
  const inExplorer = askInExplorer(question, either).then((answer) => {
    if (answer === undefined) return onTerminal;
    terminal.output.write(`\nAnswered in the explorer: ${answer ? 'yes' : 'no'}`);
    return answer;
  });
  try {
    return await Promise.race([onTerminal, inExplorer]);
  } finally {
    answered.abort();
    await onTerminal;
  }
}

async function askOnTerminal(
  question: string,
  signal: AbortSignal,
  { input, output }: Terminal,
): Promise<boolean | undefined> {
  // Without `terminal`, Ctrl-C stays a signal to the process.
  const lines = createInterface({ input, output, terminal: false });
  try {
    return /^y(?:es)?$/iu.test((await lines.question(`${question} [y/N] `, { signal })).trim());
  } catch {
    // The question has ended its line.
    return undefined;
  } finally {
    lines.close();
  }
}

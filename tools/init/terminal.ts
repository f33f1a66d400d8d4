// Asks questions on the terminal, and lets the user edit a list there.
import { emitKeypressEvents } from 'node:readline';
import { createInterface } from 'node:readline/promises';
import { type AccessList, beginList, type ListKey, pressKey, renderList } from './access-list.ts';
import type { Dialog } from './questions.ts';

const { stdin, stdout } = process;

/** Undefined if the program has no terminal. */
export function openTerminal(): Dialog | undefined {
  return stdin.isTTY && stdout.isTTY ? { ask, chooseAccess: (tables) => editOnTerminal(beginList(tables)) } : undefined;
}

/** Ends with the input, so that the next question or list has it for itself. */
async function ask(question: string): Promise<string | undefined> {
  const lines = createInterface({ input: stdin, output: stdout });
  const end = new AbortController();
  lines.once('close', () => end.abort());
  try {
    return await lines.question(question, { signal: end.signal });
  } catch {
    return undefined;
  } finally {
    lines.close();
  }
}

/** @returns undefined if the input ended */
function editOnTerminal(list: AccessList): Promise<AccessList['rows'] | undefined> {
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.resume();
  let current = list;
  let drawn = draw(current, 0);
  return new Promise((resolve) => {
    const end = (rows: AccessList['rows'] | undefined): void => {
      stdin.off('keypress', press).off('end', abandon);
      stdin.setRawMode(false);
      stdin.pause();
      resolve(rows);
    };
    const abandon = (): void => end(undefined);
    const press = (_text: string | undefined, key: ListKey): void => {
      const step = pressKey(current, key);
      if (step.kind !== 'list') {
        end(step.kind === 'done' ? current.rows : undefined);
        return;
      }
      current = step.list;
      drawn = draw(current, drawn);
    };
    stdin.on('keypress', press).once('end', abandon);
  });
}

/** Replaces the lines drawn before. @returns the number of lines */
function draw(list: AccessList, drawn: number): number {
  // A terminal of unknown size reports 0.
  const lines = renderList(list, stdout.columns || 80, stdout.rows || 24);
  const back = drawn === 0 ? '' : `\u001B[${drawn}A\u001B[J`;
  stdout.write(`${back}${lines.join('\n')}\n`);
  return lines.length;
}

// A question about a save that is asked on the terminal and in the explorer.
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { DevNews } from '../../../src/contract/dev-news.ts';
import { ExplorerNews } from '../../../tools/dev/explorer-news.ts';
import { askAPerson } from '../../../tools/project/dev/ask.ts';

const QUESTION = { kind: 'rename', what: 'column t.a', to: 'b' } as const;
const ASKED = 'Was the column t.a renamed to b? [y/N] ';

function startAsking(isTTY: boolean = true) {
  const news = new ExplorerNews();
  const states: DevNews['save'][] = [];
  news.open()?.read({
    take(piece) {
      states.push((JSON.parse(Buffer.from(piece).toString().split('data: ')[1] ?? '') as DevNews).save);
      return true;
    },
    end: () => undefined,
    fail: () => undefined,
  });
  const terminal = { input: Object.assign(new PassThrough(), { isTTY }), output: new PassThrough() };
  const given = { ...terminal, output: Object.assign(terminal.output, { isTTY }) };
  const saved = new AbortController();
  const answer = askAPerson([QUESTION, saved.signal], (_, signal) => news.ask(QUESTION, signal), given);
  const printed = (): unknown => (terminal.output.read(terminal.output.readableLength) as Buffer | null)?.toString();
  return { news, states, answer, saved, type: (text: string) => terminal.input.write(text), printed };
}

test.each([
  ['y\n', true],
  ['\n', false],
])('P11 the answer %j on the terminal withdraws the question in the explorer', async (typed, expected) => {
  const { states, answer, type, printed } = startAsking();
  expect(states.at(-1)).toMatchObject({ kind: 'question', question: QUESTION });
  type(typed);
  expect([await answer, states.at(-1), printed()]).toEqual([expected, { kind: 'none' }, ASKED]);
});

test.each([
  [true, 'yes'],
  [false, 'no'],
])('P10 the answer %j in the explorer ends the question on the terminal', async (given, word) => {
  const { news, states, answer, printed } = startAsking();
  const state = states.at(-1);
  news.answer({ id: state?.kind === 'question' ? state.id : '', answer: given });
  expect([await answer, states.at(-1), printed()]).toEqual([
    given,
    { kind: 'none' },
    `${ASKED}\nAnswered in the explorer: ${word}\r\n`,
  ]);
});

test('P10 another save withdraws both', async () => {
  const { states, answer, saved } = startAsking();
  saved.abort();
  expect([await answer, states.at(-1)]).toEqual([undefined, { kind: 'none' }]);
});

test('P10 without a terminal nothing is asked', async () => {
  const { states, answer, printed } = startAsking(false);
  expect([await answer, states.at(-1), printed()]).toEqual([undefined, { kind: 'none' }, undefined]);
});

import { expect, test } from 'vitest';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { ParameterValue, ScriptResults } from '../../../src/contract/transaction.ts';
import type { ApiError } from '../../../src/errors/api-error.ts';
import { VisibleNamesFinder } from '../../../src/service/schema-cache/visible-names-finder.ts';

type Reply = Result<ScriptResults, ApiError>;

interface Question {
  readonly role: ParameterValue | undefined;
  readonly answer: (reply: Reply) => void;
}

interface Watched {
  readonly finder: VisibleNamesFinder;
  readonly questions: Question[];
  /** Milliseconds. */
  now: number;
}

function createFinder(timeoutMs = 60_000): Watched {
  const questions: Question[] = [];
  const watched: Watched = {
    questions,
    now: 0,
    finder: new VisibleNamesFinder({
      pool: {
        runScript: ({ segments: [{ settings }] }) =>
          new Promise<Reply>((answer) => questions.push({ role: settings.parameters[1], answer })),
      },
      schemas: ['api'],
      timeoutMs,
      clock: () => watched.now,
      pause: () => Promise.resolve(),
    }),
  };
  return watched;
}

function naming(...tables: readonly string[]): Reply {
  const lines = tables.map((table) => new TextEncoder().encode(JSON.stringify(['relation', 'api', table])));
  return ok([{ kind: 'lines', lines }]);
}

async function tablesOf(finder: VisibleNamesFinder, role: string): Promise<readonly string[]> {
  return [...((await finder.find(role)).relations.get('api')?.keys() ?? [])];
}

test('concurrent requests for a role share one query, however long it takes', async () => {
  const watched = createFinder();
  const first = tablesOf(watched.finder, 'anon');
  watched.now = 60_000;
  const second = tablesOf(watched.finder, 'anon');
  expect(watched.questions.map(({ role }) => role)).toEqual(['anon']);
  watched.questions[0]?.answer(naming('boats'));
  expect(await Promise.all([first, second])).toEqual([['boats'], ['boats']]);
});

test('names are reused for five seconds from the start of their query', async () => {
  const watched = createFinder();
  const first = tablesOf(watched.finder, 'anon');
  watched.now = 1000;
  watched.questions[0]?.answer(naming('boats'));
  await first;
  watched.now = 4999;
  expect(await tablesOf(watched.finder, 'anon')).toEqual(['boats']);
  watched.now = 5000;
  const next = tablesOf(watched.finder, 'anon');
  watched.questions[1]?.answer(naming());
  expect(await next).toEqual([]);
  expect(watched.questions).toHaveLength(2);
});

test('each role has its own names, and at most 32 roles are cached', async () => {
  const watched = createFinder();
  const ask = async (role: string): Promise<readonly string[]> => {
    const asked = watched.questions.length;
    const names = tablesOf(watched.finder, role);
    watched.questions[asked]?.answer(naming(`of_${role}`));
    return names;
  };
  for (let role = 0; role < 33; role += 1) expect(await ask(`r${role}`)).toEqual([`of_r${role}`]);
  expect(await ask('r32')).toEqual(['of_r32']);
  expect(watched.questions).toHaveLength(33);
  expect(await ask('r0')).toEqual(['of_r0']);
  expect(watched.questions).toHaveLength(34);
});

test('a query without a result gives no names, and is not repeated immediately', async () => {
  const watched = createFinder();
  const first = tablesOf(watched.finder, 'anon');
  watched.questions[0]?.answer(fail({ kind: 'poolTimeout' }));
  expect(await first).toEqual([]);
  expect(await tablesOf(watched.finder, 'anon')).toEqual([]);
  expect(watched.questions).toHaveLength(1);
});

test('errors do not wait forever, and the query may be repeated afterwards', async () => {
  const watched = createFinder(1);
  expect(await tablesOf(watched.finder, 'anon')).toEqual([]);
  watched.now = 5000;
  const next = tablesOf(watched.finder, 'anon');
  watched.questions[1]?.answer(naming('boats'));
  expect(await next).toEqual(['boats']);
});

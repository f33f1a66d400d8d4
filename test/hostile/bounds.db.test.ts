// Every reader of something that a client sends: whatever it is sent, the thread pauses, and the memory is bounded by the
// bytes. `npm run test:hostile` sends up to 16 MB of each shape, prints a table and checks times; other runs send less and
// check memory only.
import { expect, test } from 'vitest';
import { isLong } from '../support/long-form.ts';
import { startIssuer } from '../support/stub-issuer.ts';
import { until } from '../support/until.ts';
import type { Question } from '../support/http-client.ts';
import { AGENT_CALLS, MANY_TABLES } from './bounds/agent-calls.ts';
import { BoundedServer } from './bounds/bounded-server.ts';
import { KEY_DOCUMENTS } from './bounds/key-documents.ts';
import { type Case, CASES } from './bounds/readers.ts';
import { use } from '../support/use.ts';

const MB = 1_048_576;
const SIZES = isLong ? [MB, 4 * MB, 16 * MB] : [65_536];
/** Other runs send every fifth shape of a reader. */
const SHARE = 5;
/** Milliseconds of CPU time: 50, times what the noise of a loaded machine may add. */
const MAX_STRETCH = 200;
/** Bytes held for each byte sent, besides what a request may take whatever its length (`batch-max-response`, plans). */
const MAX_FACTOR = 20;
const ALLOWED = 32 * MB;

const server = await use(BoundedServer.open());

const readers = [...new Set(CASES.map(({ reader }) => reader))];

test.each(readers)('%s', { timeout: 3_600_000 }, async (reader) => {
  const cases = CASES.filter((one) => one.reader === reader);
  expect(isLong ? await measureEach(cases) : await sendAll(cases.filter((_, index) => index % SHARE === 0))).toEqual(
    [],
  );
});

/** @returns the rows of the table that exceed a bound */
async function measureEach(cases: readonly Case[]): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const one of cases)
    for (const size of sizesOf(one)) {
      const question = questionOf(one, size);
      // Sends it twice, because collecting garbage would prolong the stretches.
      const stretch = await server.measureStretch(() => server.ask(question));
      let outcome = '';
      const held = await server.measureMemory(async () => {
        outcome = await server.ask(question);
      });
      const row = describeRow(one, size, { outcome, stretch, held });
      console.log(row);
      if (stretch > MAX_STRETCH || held > MAX_FACTOR * size + ALLOWED || isFault(outcome)) problems.push(row);
    }
  return problems;
}

/** @returns the shapes to which the server answers with a fault */
async function sendAll(cases: readonly Case[]): Promise<readonly string[]> {
  const problems: string[] = [];
  const held = await server.measureMemory(async () => {
    for (const one of cases)
      for (const size of sizesOf(one)) {
        const outcome = await server.ask(questionOf(one, size));
        if (isFault(outcome)) problems.push(`${one.shape}: ${outcome}`);
      }
  });
  return held > MAX_FACTOR * Math.max(...SIZES) + ALLOWED ? [...problems, `${held} bytes held`] : problems;
}

function isFault(outcome: string): boolean {
  return /^5\d\d\b/u.test(outcome);
}

function sizesOf({ room = Infinity }: Case): readonly number[] {
  return [...new Set(SIZES.map((size) => Math.min(size, room)))];
}

function questionOf({ isUser, question }: Case, size: number): Question {
  const asked = question(size);
  return isUser === true ? { ...asked, headers: { ...asked.headers, Authorization: server.bearer } } : asked;
}

interface Measured {
  readonly outcome: string;
  readonly stretch: number;
  readonly held: number;
}

function describeRow({ reader, shape }: Case, size: number, { outcome, stretch, held }: Measured): string {
  const megabytes = `${(size / MB).toFixed(2)} MB`.padStart(8);
  const measured = `${`${stretch.toFixed(1)} ms`.padStart(9)} ${(held / size).toFixed(1).padStart(5)} B/B`;
  return `bounds  ${reader.padEnd(30)} ${shape.padEnd(46)} ${megabytes} ${outcome.padStart(9)} ${measured}`;
}

test.runIf(isLong)('agents on a schema of 850 tables', { timeout: 600_000 }, async () => {
  const bounded = await BoundedServer.open({}, MANY_TABLES);
  const problems: string[] = [];
  try {
    for (const { name, question } of AGENT_CALLS)
      for (const time of ['first', 'second', 'third']) {
        let outcome = '';
        const stretch = await bounded.measureStretch(async () => {
          outcome = await bounded.ask(question);
        });
        const row = `bounds  agent on 850 tables: ${name.padEnd(38)} ${time.padEnd(6)} ${outcome} ${stretch.toFixed(1)} ms`;
        console.log(row);
        if (stretch > MAX_STRETCH || outcome !== '200') problems.push(row);
      }
  } finally {
    await bounded.close();
  }
  expect(problems).toEqual([]);
});

test.runIf(isLong).each(KEY_DOCUMENTS)('key document: $name', async ({ name, document }) => {
  const issuer = await startIssuer();
  const bounded = await BoundedServer.open({ 'jwt-secret': null, 'jwt-jwks-uri': `${issuer.origin}/keys` });
  try {
    const text = document();
    const stretch = await bounded.measureStretch(async () => {
      const before = issuer.requests.get('/keys') ?? 0;
      issuer.on('/keys', (_, response) => response.end(text));
      await until(() => (issuer.requests.get('/keys') ?? 0) > before);
      // A request that needs the keys is answered when they have been read.
      await bounded.ask({ method: 'GET', url: '/item?limit=1', headers: { Authorization: bounded.bearer } });
    });
    console.log(`bounds  key document: ${name} ${text.length} bytes ${stretch.toFixed(1)} ms`);
    expect(stretch).toBeLessThan(MAX_STRETCH);
  } finally {
    await bounded.close();
    await issuer.stop();
  }
});

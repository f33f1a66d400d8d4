// Sends the attack list to a server of its own. `npm run test:hostile` sends all of it and prints figures; other runs
// send a fixed sample: every name and value in some places, every place with some of them.
import { describe, expect, test } from 'vitest';
import { sendRaw } from '../support/raw-client.ts';
import { BOMBS } from './bombs.ts';
import { startTarget } from './fixture.ts';
import { HTTP_TRICKS, type HttpTrick } from './http-tricks.ts';
import type { Attack } from './check-attack.ts';
import { HOSTILE_NAMES, NAME_PLACES } from './names.ts';
import { findForeignWords } from './statement-words.ts';
import { throwAttacks } from './throw-attacks.ts';
import { TOKEN_TRICKS } from './token-tricks.ts';
import { COLUMNS, filterOf, HOSTILE_VALUES, OPERATOR_NAMES, VALUE_PLACES } from './values.ts';
import { isLong } from '../support/long-form.ts';
import { use } from '../support/use.ts';

const target = await use(startTarget());

/** Yields all combinations, or enough that each element of both lists occurs. */
function* pair<A, B>(first: readonly A[], second: readonly B[], share: number): Generator<readonly [A, B]> {
  for (const [i, a] of first.entries())
    for (const [j, b] of second.entries()) if (isLong || (i + j) % share === 0) yield [a, b];
}

function* nameAttacks(): Generator<Attack> {
  for (const [place, name] of pair(NAME_PLACES, HOSTILE_NAMES, 4))
    yield { name: `${JSON.stringify(name.slice(0, 60))} as ${place.name}`, question: place.question(name) };
}

function* valueAttacks(): Generator<Attack> {
  for (const [place, value] of pair(VALUE_PLACES, HOSTILE_VALUES, 2))
    yield { name: `${JSON.stringify(value.slice(0, 60))} ${place.name}`, question: place.question(value) };
}

function* filterAttacks(): Generator<Attack> {
  const filters = [...pair(COLUMNS, OPERATOR_NAMES, 1)];
  for (const [[column, operator], value] of pair(filters, HOSTILE_VALUES, 25))
    yield {
      name: `${column}=${operator}.${JSON.stringify(value.slice(0, 60))}`,
      question: filterOf(column, operator, value),
    };
}

async function expectHarmless(attacks: Iterable<Attack>): Promise<void> {
  const outcome = await throwAttacks(target, attacks);
  if (isLong) console.log([...outcome.byStatus], outcome.slowest);
  expect(outcome.problems.slice(0, 20)).toEqual([]);
  expect([...outcome.byStatus.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(30);
  expect(await target.isAlive()).toBe(true);
}

describe('no attack gets a 5xx, blocks the server, or reveals hidden names', () => {
  test('names', () => expectHarmless(nameAttacks()));
  test('values', () => expectHarmless(valueAttacks()));
  test('values by operator and type', () => expectHarmless(filterAttacks()));
  test('bombs', () =>
    expectHarmless(
      (function* () {
        for (const { name, question } of BOMBS) yield { name, question: question() };
      })(),
    ));
});

describe('tokens', () => {
  test.each(TOKEN_TRICKS)('$name', async ({ header, statuses }) => {
    const answer = await target.send({
      method: 'GET',
      url: '/rpc/who',
      headers: { Authorization: header(target.roles) },
    });
    expect(statuses, answer.body).toContain(answer.status);
    if (answer.status === 200) expect(JSON.parse(answer.body)).toHaveProperty('role', expect.stringMatching(/_[au]$/u));
  });

  test('a token with a role by __proto__ sets no role', async () => {
    const header = TOKEN_TRICKS.find(({ name }) => name === 'a role by __proto__')?.header(target.roles) ?? '';
    const answer = await target.send({ method: 'GET', url: '/rpc/who', headers: { Authorization: header } });
    expect(JSON.parse(answer.body)).toHaveProperty('role', target.roles.anon);
  });
});

describe('bytes', () => {
  test.each<HttpTrick>([...HTTP_TRICKS])('$name', async ({ bytes, statuses, answers }) => {
    const output = await sendRaw(target.port, bytes);
    const found = [...output.matchAll(/^HTTP\/1\.1 (\d{3}) /gmu)].map(([, status]) => Number(status));
    expect(found.length, output.slice(0, 2000)).toBeLessThanOrEqual(answers);
    expect(
      found.filter((status) => !statuses.includes(status)),
      output.slice(0, 500),
    ).toEqual([]);
    expect(output.includes('a note of nobody')).toBe(false);
    expect(await target.isAlive()).toBe(true);
  });
});

test('only known SQL was sent, and no log line is forged', () => {
  expect(target.statements.size).toBeGreaterThan(100);
  const foreign = [...target.statements].filter((text) => findForeignWords(text).length > 0);
  expect(foreign.slice(0, 5)).toEqual([]);
  const lines = target
    .log()
    .split('\n')
    .filter((line) => line !== '');
  expect(lines.filter((line) => /[^\P{Cc}\t]/u.test(line)).slice(0, 5)).toEqual([]);
});

test('memory returns to its initial level', async () => {
  expect(await target.memory()).toBeLessThan(700);
});

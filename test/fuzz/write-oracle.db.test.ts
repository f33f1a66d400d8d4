// Random writes, one after another, each compared with a list in memory: status, body, headers, and the table
// afterwards. `npm run test:fuzz -- --suite write-oracle` sends more of them.
import { expect, test } from 'vitest';
import { serveWriting } from '../conformance/serve.ts';
import { Random } from '../support/generate/random.ts';
import { ask, type Answer } from '../support/http-client.ts';
import { applyChange, CONSTRAINT_CODES, type Effect, type Item } from './oracle/change-model.ts';
import { randomWrite, type Write } from './oracle/random-change.ts';
import { use } from '../support/use.ts';

const FIXTURE = `
  create table api.items (id int primary key default 50, code text unique default 'dft', qty int default 7, note text);
  create view api.item_view as select id, code, qty, note from api.items;
  grant all on api.items, api.item_view to web_anon;`;

const count = Number(process.env['ROWHOUSE_FUZZ_COUNT'] ?? 300);
const firstSeed = Number(process.env['ROWHOUSE_FUZZ_SEED'] ?? 1);

const service = await use(serveWriting({}, FIXTURE));

test(`W68 W69 W71 W82 W83 W97 W112 W117 ${count} random writes have the same effect as on a list in memory`, async () => {
  let items: readonly Item[] = [];
  const problems: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + count && problems.length < 5; seed += 1) {
    const write = randomWrite(new Random(seed));
    const effect = checkSingular(write, applyChange(items, write.change));
    const answer = await ask(service.server.port, write.question);
    const before = JSON.stringify(items);
    if (typeof effect !== 'string') items = effect.items;
    const stored = await readItems();
    const problem = findProblem(write, effect, answer) ?? findDifference(stored, items);
    if (problem !== undefined)
      problems.push(`${seed}: ${JSON.stringify(write.question)}\n${problem}\nbefore: ${before}`);
    items = stored;
  }
  expect(problems.join('\n\n')).toBe('');
}, 3_600_000);

async function readItems(): Promise<readonly Item[]> {
  return (await service.query('select * from api.items order by id')) as unknown as readonly Item[];
}

/** For a single-object response, any other number of rows rolls the write back. */
function checkSingular({ isSingular }: Write, effect: Effect): Effect {
  return isSingular && typeof effect !== 'string' && effect.shown.length !== 1 ? 'SVC116' : effect;
}

function findProblem(write: Write, effect: Effect, { status, headers, body }: Answer): string | undefined {
  if (typeof effect === 'string') {
    const code = status < 400 ? status : (JSON.parse(body) as { readonly code: string }).code;
    const isAlike = typeof code === 'string' && CONSTRAINT_CODES.has(code) && CONSTRAINT_CODES.has(effect);
    return code === effect || isAlike ? undefined : `${status} ${body} instead of ${effect}`;
  }
  const actual = [status, headers['content-range'], headers['location'], readBody(write, body)];
  const expected = [statusOf(write, effect), rangeOf(write, effect), locationOf(write, effect), bodyOf(write, effect)];
  return JSON.stringify(actual) === JSON.stringify(expected) ? undefined : JSON.stringify([actual, expected]);
}

type Success = Exclude<Effect, string>;

function statusOf({ change, shows }: Write, { inserted }: Success): number {
  if (change.kind === 'insert') return change.resolution === 'merge' && inserted === 0 ? 200 : 201;
  if (shows !== 'representation') return 204;
  return change.kind === 'put' && inserted > 0 ? 201 : 200;
}

function rangeOf({ change, isCounted }: Write, { shown }: Success): string | undefined {
  if (change.kind === 'put') return undefined;
  const rows = change.kind === 'update' && shown.length > 0 ? `0-${shown.length - 1}` : '*';
  return `${rows}/${isCounted ? shown.length : '*'}`;
}

function locationOf({ change, shows, relation }: Write, { shown }: Success): string | undefined {
  const hasLocation = change.kind === 'insert' && shows === 'headers-only' && shown.length === 1;
  return hasLocation ? `/${relation}?id=eq.${shown[0]?.id}` : undefined;
}

function bodyOf({ shows }: Write, { shown }: Success): readonly Item[] | string {
  return shows === 'representation' ? byId(shown) : '';
}

function readBody({ shows, isSingular }: Write, body: string): readonly Item[] | string {
  if (shows !== 'representation') return body;
  const value: unknown = JSON.parse(body);
  return byId((isSingular ? [value] : value) as readonly Item[]);
}

function findDifference(stored: readonly Item[], expected: readonly Item[]): string | undefined {
  const [is, shouldBe] = [JSON.stringify(stored), JSON.stringify(byId(expected))];
  return is === shouldBe ? undefined : `stored ${is}\ninstead of ${shouldBe}`;
}

/** Sorts rows by id, with columns in the order of the table. */
function byId(items: readonly Item[]): readonly Item[] {
  return items
    .map(({ id, code, qty, note }) => ({ id, code, qty, note }))
    .toSorted((a, b) => Number(a.id) - Number(b.id));
}

// Generates the next request of the mixed load, and its allowed statuses.
import type { Random } from '../support/generate/random.ts';
import type { Answer, Question } from '../support/http-client.ts';
import { COLUMNS, ITEMS, type User } from './soak-schema.ts';

export interface SoakRequest {
  readonly question: Question;
  /** The client disconnects after this many milliseconds. */
  readonly pause?: number;
  readonly status: number;
  readonly check?: (answer: Answer) => boolean;
}

const SHAPES = 20_000;
const HOT_SHAPES = 50;
const SELECTIONS = 1 << COLUMNS.length;
const RETURNED = { Prefer: 'return=representation' };
const BATCH_TYPE = { 'Content-Type': 'application/vnd.svc.batch+json' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

type Maker = (random: Random, user: User) => SoakRequest;

const read = (url: string, { authorization }: User): SoakRequest => ({
  question: { method: 'GET', url, headers: authorization },
  status: 200,
});

const write = (method: string, url: string, { authorization }: User, value: unknown): Question => ({
  method,
  url,
  headers: { ...authorization, ...JSON_TYPE },
  body: JSON.stringify(value),
});

const someItem = (random: Random): number => 1 + random.roll(ITEMS);

const byKey: Maker = (random, user) => read(`/items?id=eq.${someItem(random)}`, user);

/** A request with one of many shapes: other columns, another filter, another order. */
const ofShape: Maker = (random, user) => {
  const shape = random.chance(0.5) ? random.roll(HOT_SHAPES) : random.roll(SHAPES);
  const columns = COLUMNS.filter((_, index) => (shape >> index) % 2 === 1);
  const rest = Math.floor(shape / SELECTIONS);
  const filtered = COLUMNS[(2 * rest) % COLUMNS.length] ?? 'id';
  const order = rest < 10 ? 'id' : 'id.desc';
  const value = 1 + random.roll(900);
  return read(`/items?select=${['id', ...columns].join()}&${filtered}=gte.${value}&order=${order}&limit=5`, user);
};

const embeds: Maker = (random, user) =>
  read(`/items?select=id,c1,kinds(name),events(id,note)&id=eq.${someItem(random)}&events.limit=5`, user);

const insert: Maker = (random, user) => ({
  question: write('POST', '/events', user, { item_id: someItem(random), note: user.name }),
  status: 201,
});

const update: Maker = (random, user) => ({
  question: write('PATCH', `/items?id=eq.${someItem(random)}`, user, { c9: user.name }),
  status: 204,
});

const remove: Maker = (random, user) => ({
  question: write('DELETE', `/events?id=eq.${random.roll(5000)}`, user, undefined),
  status: 204,
});

const whoami: Maker = (_, user) => ({
  ...read('/rpc/whoami', user),
  check: ({ body }) => body === JSON.stringify(user.name),
});

const add: Maker = (random, user) => ({
  question: write('POST', '/rpc/add', user, { a: random.roll(100), b: 1 }),
  status: 200,
});

const longText: Maker = (_, user) => read('/rpc/long_text?length=100000', user);

/** The second request refers to the row that the first one inserted. */
const batch: Maker = (random, user) => {
  const item = someItem(random);
  const requests = [
    { id: 'new', method: 'POST', path: '/events?select=id', headers: RETURNED, body: { item_id: item, note: 'batch' } },
    { method: 'PATCH', path: '/events?id=eq.{new#/0/id}', body: { note: { $from: 'new', at: '/0/id' } } },
    { method: 'GET', path: `/items?id=eq.${item}&select=id,c1` },
  ];
  const { url, ...question } = write('POST', '/', user, requests);
  return { question: { ...question, url, headers: { ...question.headers, ...BATCH_TYPE } }, status: 200 };
};

const nestedPatch: Maker = (random, user) => {
  const url = `/items?id=eq.${someItem(random)}`;
  const question = write('PATCH', url, user, { c1: user.name, events: { create: [{ note: 'one' }, { note: 'two' }] } });
  return { question: { ...question, headers: { ...question.headers, Prefer: 'nested=write' } }, status: 204 };
};

const nestedUpsert: Maker = (random, user) => {
  const item = { id: someItem(random), kind_id: 1 + random.roll(20), c3: user.name, events: [{ note: 'nested' }] };
  const question = write('POST', '/items', user, [item]);
  const preferences = 'nested=write, resolution=merge-duplicates';
  return { question: { ...question, headers: { ...question.headers, Prefer: preferences } }, status: 200 };
};

const raised: Maker = (_, user) => ({ question: write('POST', '/rpc/fail', user, { code: 'P0001' }), status: 400 });

const badFilter: Maker = (_, user) => ({ ...read('/items?id=eq.x', user), status: 400 });

const unknownTable: Maker = (_, user) => ({ ...read('/nosuch', user), status: 404 });

const badToken: Maker = (_, { authorization: { Authorization } }) => ({
  question: { method: 'GET', url: '/items?limit=1', headers: { Authorization: `${Authorization}x` } },
  status: 401,
});

const leaving: Maker = (random, user) => ({
  question: write('POST', '/rpc/nap', user, { seconds: 0.1 }),
  status: 200,
  pause: random.roll(30),
});

const MAKERS: readonly (readonly [weight: number, Maker])[] = [
  [30, byKey],
  [25, ofShape],
  [10, embeds],
  [6, insert],
  [6, update],
  [3, remove],
  [3, batch],
  [2, nestedPatch],
  [2, nestedUpsert],
  [5, whoami],
  [5, add],
  [1, longText],
  [2, raised],
  [1, badFilter],
  [1, unknownTable],
  [3, badToken],
  [1, leaving],
];
const ALL: readonly Maker[] = MAKERS.flatMap(([weight, maker]) => Array.from({ length: weight }, () => maker));

export function makeRequest(random: Random, users: readonly User[]): SoakRequest {
  return random.pick(ALL)(random, random.pick(users));
}

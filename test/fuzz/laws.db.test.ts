// Laws that must hold between the responses to related requests, whatever the rows: different requests with the same
// meaning.
import { expect, test } from 'vitest';
import { Random } from '../support/generate/random.ts';
import { ask, urlOf, type Answer, type Parameters } from '../support/http-client.ts';
import { quote, randomOperation } from '../support/generate/random-values.ts';
import { startReadingServer } from '../support/reading-server.ts';
import type { ColumnModel, EmbedModel, RelationModel } from '../support/generate/schema-model.ts';
import { use } from '../support/use.ts';

type Row = Readonly<Record<string, unknown>>;

const server = await use(startReadingServer({ 'db-aggregates-enabled': true }));
/** Relations with a primary key that the anonymous role can read. */
const relations: readonly RelationModel[] = [...server.schema.values()].filter(
  ({ name, columns }) =>
    columns.some((column) => column.name === 'id') && !['safe', 'partly', 'lots', 'drift'].includes(name),
);
const embeds = await findEmbeds();

function request(relation: string, parameters: Parameters, method = 'GET', headers = {}): Promise<Answer> {
  return ask(server.port, { method, url: urlOf(relation, parameters), headers });
}

async function rows(relation: string, parameters: Parameters): Promise<readonly Row[]> {
  const { status, body } = await request(relation, parameters);
  expect(status, `${urlOf(relation, parameters)} ${body}`).toBe(200);
  return JSON.parse(body) as readonly Row[];
}

async function ids(relation: string, parameters: Parameters): Promise<readonly unknown[]> {
  const found = await rows(relation, [['order', 'id'], ...parameters]);
  return found.map(({ id }) => id);
}

interface NamedEmbed {
  readonly relation: RelationModel;
  readonly embed: EmbedModel;
  readonly text: string;
  /** A column of the embed to order by. */
  readonly column: string;
}

/** Returns every fourth embed whose name is unambiguous. */
async function findEmbeds(): Promise<readonly NamedEmbed[]> {
  const candidates = relations.flatMap((relation) => relation.embeds.map((embed) => nameEmbed(relation, embed)));
  const statuses = await Promise.all(
    candidates.map(async ({ relation, text, column }) => {
      return (await request(relation.name, [['select', `id,e:${text}(${column})`]])).status;
    }),
  );
  return candidates.filter((_, index) => statuses[index] === 200).filter((_, position) => position % 4 === 0);
}

function nameEmbed(relation: RelationModel, embed: EmbedModel): NamedEmbed {
  const text = `${quote(embed.target)}${embed.hint === undefined ? '' : `!${quote(embed.hint)}`}`;
  return { relation, embed, text, column: quote(server.schema.get(embed.relation)?.columns[0]?.name ?? '') };
}

test('R185 R186 R193 present, absent and inner embeds, shown or hidden, split the parents in the same way', async () => {
  for (const {
    relation: { name },
    text,
  } of embeds) {
    const all = await ids(name, [['select', 'id']]);
    const absent = await ids(name, [
      ['select', `id,e:${text}()`],
      ['e', 'is.null'],
    ]);
    const present = all.filter((id) => !absent.includes(id));
    const ways: readonly Parameters[] = [
      [
        ['select', `id,e:${text}()`],
        ['e', 'not.is.null'],
      ],
      [
        ['select', `id,e:${text}(*)`],
        ['e', 'not.is.null'],
      ],
      [['select', `id,e:${text}!inner()`]],
      [['select', `id,e:${text}!inner(*)`]],
      [
        ['select', `id,e:${text}()`],
        ['not.or', '(e.is.null)'],
      ],
    ];
    expect(await Promise.all(ways.map((way) => ids(name, way))), `${name} ${text}`).toEqual(ways.map(() => present));
    expect(
      await ids(name, [
        ['select', `id,e:${text}(*)`],
        ['e', 'is.null'],
      ]),
    ).toEqual(absent);
  }
  expect(embeds.length).toBeGreaterThan(30);
});

test('R133 R134 R190 the exact total is the number of rows without a window', async () => {
  const random = new Random(11);
  for (const {
    relation: { name, columns },
    text,
  } of embeds) {
    const select = `id,e:${text}${random.pick(['!inner', ''])}(${random.pick(['', '*'])})`;
    const filters = random.list(0, 2, () => randomFilter(random, columns));
    const presence = random.chance(0.5) ? [['e', random.pick(['is.null', 'not.is.null'])] as const] : [];
    const parameters: Parameters = [['select', select], ...filters, ...presence];
    const whole = await request(name, parameters);
    if (whole.status !== 200) continue;
    const page = await request(name, [...parameters, ['limit', '1']], 'GET', { Prefer: 'count=exact' });
    const total = Number(page.headers['content-range']?.split('/')[1]);
    expect(total, urlOf(name, parameters)).toBe((JSON.parse(whole.body) as readonly Row[]).length);
  }
});

test('R142 HEAD has the headers of GET', async () => {
  const random = new Random(12);
  for (const { name, columns } of relations) {
    const parameters: Parameters = [
      ...random.list(0, 2, () => randomFilter(random, columns)),
      ['limit', random.pick(['0', '1', '2'])],
    ];
    const headers = { Prefer: `count=${random.pick(['exact', 'planned', 'estimated'])}` };
    const shown = ({ status, headers: { date: _date, 'content-length': _length, ...rest } }: Answer) => ({
      status,
      ...rest,
    });
    const got = shown(await request(name, parameters, 'GET', headers));
    expect(shown(await request(name, parameters, 'HEAD', headers)), urlOf(name, parameters)).toEqual(got);
  }
});

test('R202 R205 R206 a spread equals an embed: columns of a single row, arrays of several rows', async () => {
  for (const {
    relation: { name },
    embed,
    text,
    column: key,
  } of embeds) {
    const order: Parameters = [
      ['order', 'id'],
      ['e.order', key],
    ];
    const nested = await rows(name, [['select', `id,e:${text}(x:${key})`], ...order]);
    const spreadOrder: Parameters = [
      ['order', 'id'],
      [`${quote(embed.target)}.order`, key],
    ];
    const spread = await rows(name, [['select', `id,...${text}(x:${key})`], ...spreadOrder]);
    const expected = nested.map(({ id, e }) => ({
      id,
      x: Array.isArray(e) ? (e as readonly Row[]).map(({ x }) => x) : ((e as Row | null)?.['x'] ?? null),
    }));
    expect(spread, `${name} ${text}`).toEqual(expected);
  }
});

test('R116 R177 a window is a slice of the ordered result, at the top and per parent', async () => {
  for (const {
    relation: { name },
    text,
    column,
  } of embeds) {
    const select: Parameters = [
      ['select', `id,e:${text}(*)`],
      ['order', 'id'],
      ['e.order', column],
    ];
    const whole = await rows(name, select);
    const window = await rows(name, [...select, ['offset', '1'], ['limit', '2'], ['e.offset', '1'], ['e.limit', '1']]);
    const sliced = whole.slice(1, 3).map(sliceEmbed);
    expect(window, `${name} ${text}`).toEqual(sliced);
  }
});

test('R43 R45 R95 a logic tree and its De Morgan negation select the same rows', async () => {
  const random = new Random(13);
  let checked = 0;
  for (let run = 0; run < 300; run += 1) {
    const { name, columns } = random.pick(relations);
    const conditions = random.list(1, 3, () => {
      const { name: column, type } = random.pick(columns);
      const operation = randomOperation(random, type, true);
      return { plain: `${quote(column)}.${operation}`, negated: `${quote(column)}.${negate(operation)}` };
    });
    const plain = conditions.map((condition) => condition.plain).join(',');
    const negated = conditions.map((condition) => condition.negated).join(',');
    const answer = await request(name, [
      ['select', 'id'],
      ['order', 'id'],
      ['or', `(${plain})`],
    ]);
    if (answer.status !== 200) continue;
    checked += 1;
    const same = await request(name, [
      ['select', 'id'],
      ['order', 'id'],
      ['not.and', `(${negated})`],
    ]);
    expect(same.body, plain).toBe(answer.body);
  }
  expect(checked).toBeGreaterThan(100);
});

/** Keeps only the second row of an embed, if it can have several. */
function sliceEmbed({ e, ...own }: Row): Row {
  return { ...own, e: Array.isArray(e) ? e.slice(1, 2) : null };
}

function negate(operation: string): string {
  return operation.startsWith('not.') ? operation.slice(4) : `not.${operation}`;
}

function randomFilter(random: Random, columns: readonly ColumnModel[]): readonly [string, string] {
  const { name, type } = random.pick(columns);
  return [quote(name), randomOperation(random, type, false)];
}

test('B22 B23 QUERY and its POST give what GET gives', async () => {
  const random = new Random(22);
  for (let round = 0; round < 200; round += 1) {
    const { name, columns } = random.pick(relations);
    const column = random.pick(columns);
    const url = urlOf(name, [
      ['select', 'id'],
      ['order', 'id'],
      [quote(column.name), randomOperation(random, column.type, false)],
    ]);
    const [path = '', body = ''] = url.split('?');
    const expected = await ask(server.port, { method: 'GET', url, headers: {} });
    const types = { QUERY: 'application/x-www-form-urlencoded', POST: 'application/vnd.svc.query' };
    for (const [method, type] of Object.entries(types)) {
      const answer = await ask(server.port, { method, url: path, headers: { 'Content-Type': type }, body });
      expect([answer.status, answer.body], url).toEqual([expected.status, expected.body]);
    }
  }
});

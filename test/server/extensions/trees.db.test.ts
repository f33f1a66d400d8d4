// Conditions on related rows in logic trees (`beyond.md` §1.4).
import { describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { useExtensionServers } from './extension-servers.ts';

const harbor = await useHarbor();
const options = {
  'db-aggregates-enabled': true,
  'db-tx-end': 'rollback',
  'url-max-embeds': 4,
  'url-max-embed-depth': 3,
};

await harbor.sql(`
    create table api.author (id int primary key, name text, born int);
    create table api.book (
      id int primary key, title text,
      author_id int constraint book_author references api.author,
      editor_id int constraint book_editor references api.author);
    create table api.review (id int primary key, book_id int references api.book, stars int, secret bool, text text);
    create table api.tag (id int primary key, label text);
    create table api.book_tag (book_id int references api.book, tag_id int references api.tag, primary key (book_id, tag_id));
    insert into api.author values (1, 'Ann Sea', 1900), (2, 'Bo', 1950), (3, 'Sea, Al', 1990);
    insert into api.book values (1, 'The Sea', 2, 1), (2, 'Land', 1, null), (3, 'Sky', 2, 3), (4, 'Void', null, null);
    insert into api.review values (1, 1, 5, false, 'a'), (2, 1, 1, false, 'b'), (3, 2, 3, false, 'c'), (4, 4, 5, true, 'd');
    insert into api.tag values (1, 'blue'), (2, 'green');
    insert into api.book_tag values (1, 1), (2, 2), (3, 1), (3, 2);
    create function api.books() returns setof api.book stable language sql as 'select * from api.book';
    create function api.good_reviews(api.book) returns setof api.review stable language sql as
      'select * from api.review where book_id = $1.id and stars = 5';
    alter table api.review enable row level security;
    create policy open on api.review for select using (not secret);
    grant select, update, delete on api.author, api.book to ${harbor.anon};
    grant select on api.review, api.tag, api.book_tag to ${harbor.anon}`);
const servers = await useExtensionServers(harbor, 'trees', options);

describe.each(['svc', 'postgrest'] as const)('in the dialect %s', (dialect) => {
  const codeOf = (code: string): string => `${dialect === 'svc' ? 'SVC' : 'PGRST'}${code}`;
  const read = (target: string): Promise<unknown> => servers.on[dialect].json(target);
  const ids = async (tree: string, target = '/book?select=id'): Promise<unknown> => {
    const rows = await read(`${target}&order=id&${tree}`);
    return Array.isArray(rows) ? (rows as readonly { readonly id: number }[]).map(({ id }) => id) : rows;
  };

  test.each([
    ['or=(title.ilike.*sea*,author!book_author.name.ilike.*sea*)', [1, 2]],
    ['or=(title.ilike.*sea*,author_id.name.ilike.*sea*)', [1, 2]],
    ['and=(review.stars.gt.4)', [1]],
    ['and=(review.stars.gt.4,review.stars.lt.2)', [1]],
    ['and=(review.and(stars.gt.4,stars.lt.2))', []],
    ['and=(review.or(stars.eq.3,text.eq.b))', [1, 2]],
    ['and=(not.review.stars.gt.2)', [3, 4]],
    ['and=(review.stars.not.gt.2)', [1]],
    ['and=(review.not.and(stars.gt.4,text.eq.a))', [1, 2]],
    ['and=(not.review.not.and(stars.gt.4,text.eq.a))', [3, 4]],
    ['not.or=(review.stars.gt.2,tag.label.eq.blue)', [4]],
    ['and=(tag.label.eq.blue,tag.label.eq.green)', [3]],
    ['and=(tag(label).eq.blue)', [1, 3]],
    ['and=(author!book_editor(name).eq."Sea,%20Al")', [3]],
    ['or=(review.text.in.(a,c),id.eq.4)', [1, 2, 4]],
    ['and=(good_reviews.text.eq.a)', [1]],
    ['and=(author_id.or(born.gt.1960,name.eq.Bo),not.and(id.eq.3,title.eq.Sky))', [1]],
  ])('B12 B13 %s', async (tree, expected) => {
    expect(await ids(tree)).toEqual(expected);
    expect(await ids(tree, '/rpc/books?select=id')).toEqual(expected);
  });

  test('B12 to any depth', async () => {
    expect(await ids('and=(book!book_author.review.stars.eq.5)', '/author?select=id')).toEqual([2]);
    expect(
      await ids(
        'and=(book!book_author.and(title.like.T*,review.not.and(stars.eq.5),tag.label.eq.blue))',
        '/author?select=id',
      ),
    ).toEqual([2]);
  });

  test('B12 an alias is a name, and the embed itself is not filtered', async () => {
    const target = '/book?select=id,critics:review(id)&critics.order=id&critics.limit=1&order=id';
    expect(await read(`${target}&or=(critics.stars.eq.1)`)).toEqual([{ id: 1, critics: [{ id: 1 }] }]);
    expect(await read(`${target}&critics.stars=eq.3&or=(critics.stars.eq.1)`)).toEqual([{ id: 1, critics: [] }]);
    expect(
      await read('/author?select=id,book!book_author(id)&book.or=(review.stars.eq.3,title.eq.Sky)&order=id'),
    ).toEqual([
      { id: 1, book: [{ id: 2 }] },
      { id: 2, book: [{ id: 3 }] },
      { id: 3, book: [] },
    ]);
  });

  test('B12 rows that the role may not see do not count', async () => {
    expect(await ids('and=(review.stars.eq.5)')).toEqual([1]);
    expect(await ids('and=(not.review.stars.eq.5)')).toEqual([2, 3, 4]);
  });

  test('B12 unknown and ambiguous relationships', async () => {
    expect(await ids('and=(nope.name.eq.x)')).toMatchObject({ code: codeOf('200') });
    expect(await ids('and=(author.name.eq.x)')).toMatchObject({ code: codeOf('201') });
    expect(await ids('and=(title.nope.eq.x)')).toMatchObject({ code: codeOf('200') });
    expect(await ids('and=(review.nope.eq.x)')).toMatchObject({ code: '42703' });
    expect(await ids('and=(review.stars.equals.1)')).toMatchObject({ code: codeOf('100') });
    expect(await ids('and=(review.stars)')).toMatchObject({ code: codeOf('100') });
    expect(await ids('and=(review!.stars.eq.1)')).toMatchObject({ code: codeOf('100') });
  });

  test('B12 writes and counts', async () => {
    const headers = { Prefer: 'return=representation' };
    const { text } = await servers.on[dialect].get('/book?and=(tag.label.eq.green)&select=id&order=id', {
      method: 'PATCH',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '{"title":"x"}',
    });
    expect(JSON.parse(text)).toEqual([{ id: 2 }, { id: 3 }]);
    const counted = await servers.on[dialect].get('/book?and=(review.stars.gt.2)&limit=1', {
      headers: { Prefer: 'count=exact' },
    });
    expect(counted.headers['content-range']).toBe('0-0/2');
  });

  test('B12 what a tree addresses counts as an embed', async () => {
    const tests = (count: number): string => `and=(${Array.from({ length: count }, () => 'tag.id.eq.1').join(',')})`;
    expect(await ids(tests(4))).toEqual([1, 3]);
    expect(await ids(tests(5))).toMatchObject({ code: codeOf('129') });
    expect(await ids(tests(4), '/book?select=id,tag(id)')).toMatchObject({ code: codeOf('129') });
    expect(await ids(`${tests(3)}&${tests(2)}`)).toMatchObject({ code: codeOf('129') });
    const deep = 'book!book_author.author_id.book!book_author.author_id.born.eq.1';
    expect(await ids(`and=(${deep})`, '/author?select=id')).toMatchObject({ code: codeOf('129') });
  });

  test('B54 without the extension', async () => {
    const server = servers.off[dialect];
    expect(await server.json('/book?or=(review.stars.gt.4)')).toMatchObject({
      code: codeOf('100'),
      details: 'unexpected "s" expecting "not" or operator (eq, gt, ...)',
    });
    expect(await server.json('/book?or=(not.review.stars.gt.4)')).toMatchObject({ code: codeOf('100') });
  });
});

test('B13 aggregates have no place in conditions on related rows', async () => {
  expect(await servers.on.svc.json('/book?and=(review.and(count().gt.1))')).toMatchObject({
    code: 'SVC127',
    details: 'Aggregates are not available in conditions on related rows.',
  });
});

// Upserts, columns and defaults on the levels of nested writes.
import { describe, expect, test } from 'vitest';
import { useServers } from '../../support/local-server.ts';
import { failureOf, sendNested, useMarket, written } from './market.ts';

const market = await useMarket();
const MERGE = { prefer: 'resolution=merge-duplicates' };
const IGNORE = { prefer: 'resolution=ignore-duplicates' };

await market.sql(`
  create table api.shelf (id int primary key, note text);
  create table api.book (id int primary key, shelf_id int not null references api.shelf, title text, isbn text unique,
    pages int default 100);
  create table api.page (id int primary key, book_id int references api.book, text text);
  create table api.author (id int primary key, name text, pen text unique);
  create table api.book_author (book_id int references api.book, author_id int references api.author,
    primary key (book_id, author_id));
  grant select, insert, update, delete on api.shelf, api.book, api.page, api.author, api.book_author to ${market.anon};
`);
const start = useServers(market);
const server = await start();

describe('duplicates', () => {
  test('B35 a merge changes existing rows on every level and leaves others alone', async () => {
    const body = {
      id: 1,
      note: 'first',
      book: [
        { id: 10, title: 'a', page: [{ id: 100, text: 'p' }] },
        { id: 11, title: 'b' },
      ],
    };
    expect((await sendNested(server, '/shelf', body, MERGE)).status).toBe(201);
    const again = [
      {
        id: 1,
        note: 'changed',
        book: [
          {
            id: 10,
            title: 'A',
            page: [
              { id: 100, text: 'P' },
              { id: 101, text: 'q' },
            ],
          },
          { id: 12, title: 'c' },
        ],
      },
    ];
    const merged = await sendNested(server, '/shelf?select=note,book(title,page(text))&book.order=id', again, {
      prefer: 'resolution=merge-duplicates, return=representation',
    });
    expect([merged.status, JSON.parse(merged.text)]).toEqual([
      200,
      [
        {
          note: 'changed',
          book: [
            { title: 'A', page: [{ text: 'P' }, { text: 'q' }] },
            { title: 'b', page: [] },
            { title: 'c', page: [] },
          ],
        },
      ],
    ]);
    const mixed = await sendNested(server, '/shelf', [...again, { id: 2, note: 'new', book: [] }], {
      prefer: 'resolution=merge-duplicates, return=representation',
    });
    expect(mixed.status).toBe(201);
  });

  test('B35b a merge never changes a row of another parent', async () => {
    const body = {
      id: 3,
      note: 'thief',
      book: [
        { id: 13, title: 'own' },
        { id: 10, title: 'stolen' },
      ],
    };
    expect(await failureOf(server, '/shelf', body, MERGE)).toMatchObject({
      status: 404,
      code: 'SVC134',
      message: '1 of the rows to change were not found',
      details: '/book/1',
    });
    expect(await market.query('select title, shelf_id from api.book where id in (10, 13)')).toEqual([['A', 1]]);
    expect(await market.query('select id from api.shelf where id = 3')).toEqual([]);
  });

  test('B35c where an existing parent is ignored, its stored key is used', async () => {
    const body = [
      {
        id: 1,
        note: 'ignored',
        book: [
          { id: 10, title: 'ignored', page: [{ id: 102, text: 'r' }] },
          { id: 14, title: 'd' },
        ],
      },
      { id: 4, note: 'four', book: [{ id: 15, title: 'e' }] },
    ];
    expect(await written(server, '/shelf?select=note', body, IGNORE)).toEqual([{ note: 'four' }]);
    expect(await market.query('select note from api.shelf where id = 1')).toEqual([['changed']]);
    expect(await market.query('select book_id from api.page where id = 102')).toEqual([[10]]);
    expect(await market.query('select shelf_id, title from api.book where id in (10, 14, 15) order by id')).toEqual([
      [1, 'A'],
      [1, 'd'],
      [4, 'e'],
    ]);
  });

  test('B35d on_conflict names another key for a level', async () => {
    const path = '/shelf?select=book(id,title)&book.order=id&book.on_conflict=isbn';
    const body = (id: number, title: string): unknown => ({ id: 5, note: 'five', book: [{ id, isbn: 'X', title }] });
    expect(await written(server, path, body(20, 'one'), MERGE)).toEqual([{ book: [{ id: 20, title: 'one' }] }]);
    expect(await written(server, path, body(20, 'two'), MERGE)).toEqual([{ book: [{ id: 20, title: 'two' }] }]);
    const deep = {
      id: 5,
      note: 'five',
      book: [{ id: 99, isbn: 'X', title: 'no', page: [{ id: 200, text: 'found' }] }],
    };
    await written(server, path, deep, IGNORE);
    expect(await market.query('select book_id from api.page where id = 200')).toEqual([[20]]);
  });

  test('B35e rows beyond a junction and above the parent are merged, links that exist are kept', async () => {
    const body = { id: 16, title: 'm', shelf: { id: 6, note: 'six' }, author: [{ id: 1, name: 'Ann' }] };
    expect((await sendNested(server, '/book', body, MERGE)).status).toBe(201);
    const again = {
      ...body,
      shelf: { id: 6, note: 'SIX' },
      author: [
        { id: 1, name: 'ANN' },
        { id: 2, name: 'Bob' },
      ],
    };
    const shown = '/book?select=title,shelf(note),author(name)&author.order=id';
    expect(await written(server, shown, again, MERGE)).toEqual([
      { title: 'm', shelf: { note: 'SIX' }, author: [{ name: 'ANN' }, { name: 'Bob' }] },
    ]);
    expect(await written(server, shown, { ...again, id: 17 }, IGNORE)).toEqual([
      { title: 'm', shelf: { note: 'SIX' }, author: [{ name: 'ANN' }, { name: 'Bob' }] },
    ]);
  });

  test('B35f without a resolution a duplicate on any level fails', async () => {
    const body = { id: 7, note: 'seven', book: [{ id: 10, title: 'again' }] };
    expect(await failureOf(server, '/shelf', body)).toMatchObject({ status: 409, code: '23505' });
    expect(await market.query('select id from api.shelf where id = 7')).toEqual([]);
  });
});

describe('columns', () => {
  test('B35g columns and missing=default hold on each level', async () => {
    const body = {
      id: 8,
      note: 'eight',
      other: 1,
      book: [
        { id: 30, title: 'a', junk: 1 },
        { id: 31, pages: 5 },
      ],
    };
    const lists = 'columns=id,note&book.columns=id,title,pages';
    const shown = `/shelf?${lists}&select=book(title,pages)&book.order=id`;
    expect(await written(server, shown, body)).toEqual([
      {
        book: [
          { title: 'a', pages: null },
          { title: null, pages: 5 },
        ],
      },
    ]);
    const more = {
      id: 9,
      note: 'nine',
      book: [
        { id: 32, title: 'a' },
        { id: 33, pages: 5 },
      ],
    };
    expect(await written(server, shown, more, { prefer: 'missing=default' })).toEqual([
      {
        book: [
          { title: 'a', pages: 100 },
          { title: null, pages: 5 },
        ],
      },
    ]);
    expect(await failureOf(server, '/shelf?book.columns=nope', body)).toMatchObject({ code: 'SVC204' });
    expect(await failureOf(server, '/shelf?book.columns=id,', body)).toMatchObject({ code: 'SVC100' });
  });

  test('B35h a filter expression stays a filter', async () => {
    const failed = await failureOf(
      server,
      '/shelf?select=id,book(id)&book.columns=eq.1',
      { id: 50, note: 'x', book: [] },
      {
        prefer: 'return=representation',
      },
    );
    expect(failed).toMatchObject({ status: 400, code: '42703' });
  });
});

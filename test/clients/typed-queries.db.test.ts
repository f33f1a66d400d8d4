// Tests queries of the typed client against a running server: each result has the type that the client infers from the
// generated types, and a value of that type. The compiler also checks this file (`test/tools/typegen/compile.db.test.ts`).
import { fileURLToPath } from 'node:url';
import { PostgrestClient } from '@supabase/postgrest-js';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { DIALECTS } from '../../src/contract/dialect.ts';
import { useServedFixture } from '../support/served-fixture.ts';
import { generateTypes } from '../tools/typegen/generate-types.ts';
import {
  Constants,
  type CompositeTypes,
  type Database,
  type Enums,
  type Json,
  type Tables,
  type TablesInsert,
  type TablesUpdate,
} from '../tools/typegen/generated/library.ts';

type Medium = 'paper' | 'audio' | 'film';
type Book = Omit<Database['api']['Tables']['books']['Row'], 'label'>;

describe.each(Object.values(DIALECTS))('in the $name dialect', (dialect) => {
  const served = useServedFixture([fileURLToPath(new URL('../tools/typegen/library.sql', import.meta.url))], {
    'db-schemas': 'api',
    'db-aggregates-enabled': true,
    'db-tx-end': 'rollback',
    dialect: dialect.name,
  });

  function connect() {
    return new PostgrestClient<Database>(served.url).schema('api');
  }

  test('the generated types of the fixture equal those in the file', async () => {
    await expect(await generateTypes(served.databaseUri, 'api')).toMatchFileSnapshot(
      '../tools/typegen/generated/library.ts',
    );
  });

  describe('rows', () => {
    test('all columns, without the computed field', async () => {
      const { data } = await connect().from('books').select().eq('id', 1).single().throwOnError();
      expectTypeOf(data).toEqualTypeOf<{
        id: number;
        title: string;
        medium: Medium;
        author_id: number;
        translator_id: number | null;
        pages: number | null;
        size: { width: number | null; height: number | null } | null;
        details: Json;
        title_length: number | null;
      }>();
      expect(data).toEqual({
        id: 1,
        title: 'The Dispossessed',
        medium: 'paper',
        author_id: 1,
        translator_id: null,
        pages: 341,
        size: { width: 11, height: 18 },
        details: { prizes: ['Hugo', 'Nebula'] },
        title_length: 16,
      });
    });

    test('selected columns, an alias, a cast, a JSON path and a computed field of an overloaded function', async () => {
      const { data } = await connect()
        .from('books')
        .select('name:title, pages::text, details->>prizes, label')
        .eq('medium', 'paper')
        .order('id')
        .limit(1)
        .throwOnError();
      expectTypeOf(data).toEqualTypeOf<{ name: string; pages: string; prizes: string; label: string | null }[]>();
      expect(data).toEqual([
        { name: 'The Dispossessed', pages: '341', prizes: '["Hugo", "Nebula"]', label: 'The Dispossessed (paper)' },
      ]);
    });

    test('columns of views are nullable only if PostgreSQL may return null', async () => {
      const { data } = await connect().from('open_loans').select().order('id').limit(1).throwOnError();
      expectTypeOf(data).toEqualTypeOf<
        { id: number; book_id: number; member: string; body: string | null; pages: number | null }[]
      >();
      expect(data).toEqual([{ id: 2, book_id: 2, member: 'Ben', body: null, pages: null }]);
    });

    test('aggregates', async () => {
      const { data } = await connect()
        .from('books')
        .select('medium, id.max(), all:id.count()')
        .order('medium')
        .throwOnError();
      expectTypeOf(data).toEqualTypeOf<{ medium: Medium; max: number; all: number }[]>();
      expect(data).toEqual([
        { medium: 'paper', max: 3, all: 2 },
        { medium: 'audio', max: 2, all: 1 },
      ]);
    });
  });

  describe('embeds', () => {
    test('to-one embeds by a required and by an optional key, selected by hints', async () => {
      const { data } = await connect()
        .from('books')
        .select('title, author:authors!books_author_id_fkey(name), translator:authors!books_translator_fkey(name)')
        .order('id')
        .limit(2)
        .throwOnError();
      expectTypeOf(data).toEqualTypeOf<
        { title: string; author: { name: string }; translator: { name: string } | null }[]
      >();
      expect(data).toEqual([
        { title: 'The Dispossessed', author: { name: 'Ursula' }, translator: null },
        { title: 'Invisible Cities', author: { name: 'Italo' }, translator: { name: 'William' } },
      ]);
    });

    test('to-many, one-to-one and many-to-many', async () => {
      const { data } = await connect()
        .from('tags')
        .select('name, books(title, summaries(body), book_tags(tag))')
        .eq('name', 'space')
        .order('id', { referencedTable: 'books' })
        .throwOnError();
      expectTypeOf(data).toEqualTypeOf<
        {
          name: string;
          books: { title: string; summaries: { body: string } | null; book_tags: { tag: string }[] }[];
        }[]
      >();
      expect(data).toEqual([
        {
          name: 'space',
          books: [
            { title: 'The Dispossessed', summaries: { body: 'An ambiguous utopia' }, book_tags: [{ tag: 'space' }] },
            { title: 'Cosmicomics', summaries: null, book_tags: [{ tag: 'space' }] },
          ],
        },
      ]);
    });

    test('embeds of a view and of a relation in itself', async () => {
      const { data } = await connect()
        .from('loans')
        .select('returned, members(name, email), books(title)')
        .eq('id', 1)
        .throwOnError();
      expectTypeOf(data).toEqualTypeOf<
        { returned: string | null; members: { name: string; email: string | null }; books: { title: string } }[]
      >();
      expect(data).toEqual([
        {
          returned: '2024-02-01',
          members: { name: 'Ada', email: 'ada@example.com' },
          books: { title: 'The Dispossessed' },
        },
      ]);
      const self = await connect().from('authors').select('name, mentor:mentor_id(name)').eq('id', 3).throwOnError();
      expectTypeOf(self.data).toEqualTypeOf<{ name: string; mentor: { name: string } | null }[]>();
      expect(self.data).toEqual([{ name: 'William', mentor: { name: 'Italo' } }]);
    });

    test('to-many and to-one computed relationships', async () => {
      const { data } = await connect()
        .from('books')
        .select('title, siblings(*), last_loan(id, members(name))')
        .eq('id', 2)
        .throwOnError();
      expectTypeOf(data).toEqualTypeOf<
        { title: string; siblings: Book[]; last_loan: { id: number; members: { name: string } } | null }[]
      >();
      expect(data).toEqual([
        {
          title: 'Invisible Cities',
          siblings: [expect.objectContaining({ id: 3, title: 'Cosmicomics' })],
          last_loan: { id: 2, members: { name: 'Ben' } },
        },
      ]);
    });

    test('to-one and to-many spreads', async () => {
      const { data } = await connect()
        .from('books')
        .select('title, ...summaries(summary:body), ...book_tags(tag)')
        .order('id')
        .limit(2)
        .throwOnError();
      expectTypeOf(data).toEqualTypeOf<{ title: string; summary: string | null; tag: string[] }[]>();
      expect(data).toEqual([
        { title: 'The Dispossessed', summary: 'An ambiguous utopia', tag: ['space'] },
        { title: 'Invisible Cities', summary: null, tag: ['cities'] },
      ]);
    });

    test('inner embeds are never null', async () => {
      const { data } = await connect()
        .from('books')
        .select('id, translator:authors!books_translator_fkey!inner(name)')
        .order('id')
        .throwOnError();
      expectTypeOf(data).toEqualTypeOf<{ id: number; translator: { name: string } }[]>();
      expect(data).toEqual([
        { id: 2, translator: { name: 'William' } },
        { id: 3, translator: { name: 'William' } },
      ]);
    });
  });

  describe('functions', () => {
    test('rows of a relation, refined like the relation', async () => {
      const { data } = await connect()
        .rpc('find_books', { words: 'cities', medium: 'audio' })
        .select('title, authors!books_author_id_fkey(name)')
        .throwOnError();
      expectTypeOf(data).toEqualTypeOf<{ title: string; authors: { name: string } }[]>();
      expect(data).toEqual([{ title: 'Invisible Cities', authors: { name: 'Italo' } }]);
      const all = await connect().rpc('find_books', { words: 'cosmi' }).throwOnError();
      expectTypeOf(all.data).toEqualTypeOf<Book[]>();
      expect(all.data).toEqual([expect.objectContaining({ id: 3, title_length: 11 })]);
    });

    test('one row, a table, a scalar, a list of scalars, JSON and nothing', async () => {
      const book = await connect().rpc('newest_book').throwOnError();
      expectTypeOf(book.data).toEqualTypeOf<Book>();
      expect(book.data).toMatchObject({ id: 3 });
      const table = await connect().rpc('statistics', { minimum: 2 }).throwOnError();
      expectTypeOf(table.data).toEqualTypeOf<{ author: string; books: number }[]>();
      expect(table.data).toEqual([{ author: 'Italo', books: 2 }]);
      const pages = await connect().rpc('count_pages').throwOnError();
      expectTypeOf(pages.data).toEqualTypeOf<number>();
      expect(pages.data).toBe(494);
      const titles = await connect().rpc('all_titles').throwOnError();
      expectTypeOf(titles.data).toEqualTypeOf<string[]>();
      expect(titles.data).toEqual(['The Dispossessed', 'Invisible Cities', 'Cosmicomics']);
      const echo = await connect()
        .rpc('echo', { any: [1, null] })
        .throwOnError();
      expectTypeOf(echo.data).toEqualTypeOf<Json>();
      expect(echo.data).toEqual({ any: [1, null] });
      const nothing = await connect().rpc('nothing').throwOnError();
      expectTypeOf(nothing.data).toEqualTypeOf<undefined>();
      expect(nothing.status).toBe(204);
    });

    test('overloads selected by their arguments, composite and variadic arguments', async () => {
      const numbers = await connect().rpc('sum', { a: 1, b: 2 }).throwOnError();
      expectTypeOf(numbers.data).toEqualTypeOf<number>();
      expect(numbers.data).toBe(3);
      const texts = await connect().rpc('sum', { a: 'x', b: 'y', c: 'z' }).throwOnError();
      expectTypeOf(texts.data).toEqualTypeOf<string>();
      expect(texts.data).toBe('xyz');
      const area = await connect()
        .rpc('area', { size: { width: 2, height: 3 } })
        .throwOnError();
      expect(area.data).toBe(6);
      const all = await connect()
        .rpc('add_all', { numbers: [1, 2, 3] })
        .throwOnError();
      expect(all.data).toBe(6);
    });
  });

  describe('functions within the limits of their overloads and arguments', () => {
    test('the unnamed argument has the name "", next to an overload without arguments', async () => {
      const raw = await connect().rpc('raw', { '': 'x' }).throwOnError();
      expectTypeOf(raw.data).toEqualTypeOf<string>();
      expect(raw.data).toBe('x');
      const json = await connect()
        .rpc('echo', { '': [1] })
        .throwOnError();
      expectTypeOf(json.data).toEqualTypeOf<Json>();
      expect(json.data).toEqual({ '': [1] });
      const shouted = await connect().rpc('shout', { '': 'ho' }).throwOnError();
      expectTypeOf(shouted.data).toEqualTypeOf<string>();
      expect(shouted.data).toBe('HO');
      expect((await connect().rpc('shout').throwOnError()).data).toBe('HEY');
    });

    test('enums, composites and rows of views', async () => {
      const medium = await connect().rpc('favourite_medium').throwOnError();
      expectTypeOf(medium.data).toEqualTypeOf<Medium>();
      expect(medium.data).toBe('paper');
      const turned = await connect()
        .rpc('turn', { size: { width: 1, height: 2 } })
        .throwOnError();
      expectTypeOf(turned.data).toEqualTypeOf<{ width: number | null; height: number | null }>();
      expect(turned.data).toEqual({ width: 2, height: 1 });
      const loans = await connect().rpc('open_loans_of', { member: 'Ben' }).select('id, books(title)').throwOnError();
      expectTypeOf(loans.data).toEqualTypeOf<{ id: number; books: { title: string } }[]>();
      expect(loans.data).toEqual([{ id: 2, books: { title: 'Invisible Cities' } }]);
    });

    test('a call that can only fail has the error as its type', async () => {
      const { data, error } = await connect().rpc('unclear', { a: 1 });
      expectTypeOf(data).toExtend<{ error: true } | null>();
      expect(error?.code).toBe(`${dialect.errorPrefix}203`);
      const label = await connect().rpc('label', { '': {} as Tables<'authors'> & Tables<'books'> });
      expectTypeOf(label.data).toExtend<{ error: true } | null>();
      expect(label.error?.code).toBe(`${dialect.errorPrefix}202`);
    });
  });

  test('the helper types resolve rows, enums and composite types', async () => {
    expectTypeOf<Tables<'books'>>().toEqualTypeOf<Database['api']['Tables']['books']['Row']>();
    expectTypeOf<Tables<'open_loans'>>().toEqualTypeOf<Database['api']['Views']['open_loans']['Row']>();
    expectTypeOf<Tables<{ schema: 'api' }, 'tags'>>().toEqualTypeOf<{ name: string; colour: string | null }>();
    expectTypeOf<Enums<'medium'>>().toEqualTypeOf<Medium>();
    expectTypeOf<CompositeTypes<'dimensions'>>().toEqualTypeOf<{ width: number | null; height: number | null }>();
    expectTypeOf<(typeof Constants)['api']['Enums']['medium']>().toEqualTypeOf<readonly ['paper', 'audio', 'film']>();
    expect(Constants).toEqual({ api: { Enums: { medium: ['paper', 'audio', 'film'] } } });
    const tag: TablesInsert<'tags'> = { name: 'new' };
    const change: TablesUpdate<'tags'> = { colour: 'blue' };
    const inserted = await connect().from('tags').insert(tag).select().single().throwOnError();
    expectTypeOf(inserted.data).toEqualTypeOf<Tables<'tags'>>();
    expect(inserted.data).toEqual({ name: 'new', colour: null });
    const updated = await connect().from('tags').update(change).eq('name', 'space').select().throwOnError();
    expect(updated.data).toEqual([{ name: 'space', colour: 'blue' }]);
  });

  describe('writes', () => {
    test('insert with defaults, update and upsert', async () => {
      const inserted = await connect()
        .from('books')
        .insert({ title: 'Solaris', author_id: 3 })
        .select('title, medium')
        .single();
      expectTypeOf(inserted.data).toEqualTypeOf<{ title: string; medium: Medium } | null>();
      expect(inserted.data).toEqual({ title: 'Solaris', medium: 'paper' });
      const updated = await connect().from('books').update({ pages: null }).eq('id', 1).select('pages').throwOnError();
      expectTypeOf(updated.data).toEqualTypeOf<{ pages: number | null }[]>();
      expect(updated.data).toEqual([{ pages: null }]);
      const upserted = await connect().from('tags').upsert({ name: 'space', colour: 'blue' }).select().throwOnError();
      expectTypeOf(upserted.data).toEqualTypeOf<{ name: string; colour: string | null }[]>();
      expect(upserted.data).toEqual([{ name: 'space', colour: 'blue' }]);
    });

    test('writes through views: columns that the view passes on', async () => {
      const { data } = await connect()
        .from('loans')
        .insert({ member_id: 1, book_id: 2 })
        .select('member_id')
        .throwOnError();
      expect(data).toEqual([{ member_id: 1 }]);
    });

    test('maxAffected fails because only newer servers support it', async () => {
      const { error } = await connect().from('books').update({ pages: 1 }).maxAffected(1).gt('id', 0);
      expect(error?.code).toBe(`${dialect.errorPrefix}124`);
    });
  });

  describe('queries that do not compile are rejected by the server', () => {
    test('unknown names', async () => {
      const api = connect();
      // @ts-expect-error unknown relation
      expect(await codeOf(api.from('novels').select())).toBe(`${dialect.errorPrefix}205`);
      const column = await api.from('books').select('titel');
      // @ts-expect-error unknown column
      expect([column.data?.[0]?.titel, column.error?.code]).toEqual([undefined, '42703']);
      const unrelated = await api.from('books').select('members(name)');
      // @ts-expect-error no relationship
      expect([unrelated.data?.[0]?.members.name, unrelated.error?.code]).toEqual([
        undefined,
        `${dialect.errorPrefix}200`,
      ]);
      const ambiguous = await api.from('books').select('authors(name)');
      // @ts-expect-error ambiguous relationship
      expect([ambiguous.data?.[0]?.authors.name, ambiguous.error?.code]).toEqual([
        undefined,
        `${dialect.errorPrefix}201`,
      ]);
      const computed = await api.from('books').select();
      // @ts-expect-error a computed field is returned only if selected
      expect(computed.data?.[0]?.label).toBeUndefined();
    });

    test('values that a column does not accept', async () => {
      const api = connect();
      // @ts-expect-error not a label of the enum
      expect(await codeOf(api.from('books').select().eq('medium', 'vinyl'))).toBe('22P02');
      // @ts-expect-error text for a number
      expect(await codeOf(api.from('books').select().in('id', ['one']))).toBe('22P02');
      // @ts-expect-error the author is required
      expect(await codeOf(api.from('books').insert({ title: 'Solaris' }))).toBe('23502');
      // @ts-expect-error null in a required column
      expect(await codeOf(api.from('books').update({ title: null }).eq('id', 1))).toBe('23502');
    });

    test('read-only columns', async () => {
      const api = connect();
      // @ts-expect-error generated
      expect(await codeOf(api.from('books').insert({ title: 'Solaris', author_id: 3, title_length: 7 }))).toBe('428C9');
      // @ts-expect-error computed
      expect(await codeOf(api.from('books').update({ label: 'x' }).eq('id', 1))).toBe(`${dialect.errorPrefix}204`);
      // @ts-expect-error generated column of the underlying table
      expect(await codeOf(api.from('loans').insert({ id: 9, member_id: 1, book_id: 1 }))).toBe('428C9');
      // @ts-expect-error expression of the view
      expect(await codeOf(api.from('members').update({ shouted: 'X' }).eq('id', 1))).toBe('0A000');
      // @ts-expect-error view over a join
      expect(await codeOf(api.from('open_loans').update({ id: 1 }).eq('id', 1))).toBe('55000');
    });

    test('arguments that no function accepts', async () => {
      const api = connect();
      // @ts-expect-error missing argument
      expect(await codeOf(api.rpc('sum', { a: 1 }))).toBe(`${dialect.errorPrefix}202`);
      // @ts-expect-error wrong type
      expect(await codeOf(api.rpc('find_books', { words: 'x', medium: 'vinyl' }))).toBe('22P02');
      // @ts-expect-error unknown argument
      expect(await codeOf(api.rpc('raw', { text: 'x' }))).toBe(`${dialect.errorPrefix}202`);
      // @ts-expect-error computed fields cannot be called
      expect(await codeOf(api.rpc('label', { book: {} }))).toBe(`${dialect.errorPrefix}202`);
    });
  });
});

async function codeOf(
  query: PromiseLike<{ readonly error: { readonly code: string } | null }>,
): Promise<string | undefined> {
  return (await query).error?.code;
}

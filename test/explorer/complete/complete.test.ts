// Completions at a position in a URL. `|` marks the caret, also in the URL after accepting an option.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { complete, describeAt, type Completion } from '../../../explorer/src/complete/complete.ts';
import type { CompletionOption } from '../../../explorer/src/complete/offer.ts';
import { parseUrl } from '../../../explorer/src/url-state/parse-url.ts';
import { column, INTEGER, relation, SCHEMA, schemaWith, TEXT } from './schema.ts';

function completeAt(text: string, schema = SCHEMA): Completion | undefined {
  return complete(text.replace('|', ''), text.indexOf('|'), schema);
}

function labelsAt(text: string, schema = SCHEMA): readonly string[] {
  return completeAt(text, schema)?.options.map(({ label }) => label) ?? [];
}

function accept(text: string, label: string): string {
  const completion = completeAt(text);
  const option = completion?.options.find((one) => one.label === label);
  if (completion === undefined || option === undefined) throw new Error(`${label} is not offered`);
  return applyOption(text.replace('|', ''), completion, option);
}

function applyOption(url: string, { from, to }: Completion, { apply, caret = apply.length }: CompletionOption): string {
  return `${url.slice(0, from)}${apply.slice(0, caret)}|${apply.slice(caret)}${url.slice(to)}`;
}

describe('the options are exact', () => {
  test.each<readonly [string, readonly string[]]>([
    ['|', ['streets', 'houses', 'people', 'oldest']],
    ['/|', ['streets', 'houses', 'people', 'oldest']],
    ['/ho|', ['houses']],
    ['/HO|', ['houses']],
    ['/houses|', []],
    ['/ho|?limit=1', ['houses']],
    ['/s|', ['streets']],
    ['/rpc/|', ['oldest']],
    ['/dest|', ['oldest']],
    ['/houses?sel|', ['select']],
    ['/houses?select=id&l|', ['limit', 'listed']],
    ['/houses?limit=1&lim|', []],
    ['/houses?not.|', ['or', 'and']],
    [
      '/houses?select=id,streets(name)&streets.|',
      ['order', 'limit', 'offset', 'id', 'name', 'or', 'and', 'not.or', 'not.and'],
    ],
    ['/houses?select=id,x:streets(name,houses(id))&x.h|', ['houses']],
    ['/houses?nothing.|', []],
    ['/rpc/oldest?l|&many=1', ['listed_only', 'limit', 'listed']],
    ['/rpc/oldest?m|', ['many']],
    ['/houses?select=st|', ['street_id', 'state', 'streets']],
    ['/houses?select=id,i|,built', ['street_id']],
    ['/houses?select=streets(|', ['id', 'name', '*', 'houses', 'count()']],
    ['/houses?select=streets(name,|)', ['id', '*', 'houses', 'count()']],
    ['/houses?select=...streets(n|', ['name']],
    ['/houses?select=s:street_id(n|', ['name']],
    ['/houses?select=people!owner_fkey(n|)', ['nick name']],
    ['/houses?select=people!|', ['inner', 'left', 'owner_fkey', 'tenant_fkey']],
    ['/houses?select=streets!|', ['inner', 'left']],
    [
      '/houses?select=id::|',
      [
        'text',
        'integer',
        'bigint',
        'numeric',
        'double precision',
        'boolean',
        'date',
        'time',
        'timestamp',
        'timestamptz',
        'interval',
        'uuid',
        'json',
        'jsonb',
      ],
    ],
    ['/houses?select=id::ti|', ['time', 'timestamp', 'timestamptz']],
    ['/houses?select=id.|', ['count()', 'sum()', 'avg()', 'min()', 'max()']],
    ['/houses?select=x|:id', []],
    ['/houses?select=details->|', []],
    ['/houses?select=streets(name)|', []],
    ['/houses?select=id)|', []],
    ['/houses?order=bu|', ['built']],
    ['/houses?order=built.|', ['asc', 'desc', 'nullsfirst', 'nullslast']],
    ['/houses?order=built.desc.|', ['nullsfirst', 'nullslast']],
    ['/houses?select=*,streets(*)&order=st|', ['street_id', 'state', 'streets']],
    ['/houses?select=*,streets(*)&order=streets(|', ['id', 'name']],
    ['/houses?select=*,streets(sign:name,id::text)&order=streets(|', ['sign', 'id']],
    ['/houses?select=*,...streets(sign:name)&order=streets(s|', ['sign']],
    ['/houses?select=*,streets()&order=streets(|', ['id', 'name']],
    ['/houses?select=*,streets(*)&order=streets(name).d|', ['desc']],
    ['/houses?select=*,s:streets(*)&s.order=n|', ['name']],
    ['/houses?built=g|', ['gt', 'gte']],
    ['/houses?built=not.g|', ['gt', 'gte']],
    ['/houses?listed=|', ['is', 'eq', 'neq', 'isdistinct', 'not']],
    ['/houses?features=|', ['cs', 'cd', 'ov', 'eq', 'neq', 'is', 'isdistinct', 'not']],
    ['/houses?details=c|', ['cs', 'cd']],
    ['/houses?details->>x=il|', ['ilike']],
    ['/houses?select=*,streets(*)&streets=|', ['not.is.null', 'is.null']],
    ['/houses?built=is.|', ['null', 'not_null']],
    ['/houses?listed=is.|', ['true', 'false', 'unknown', 'null', 'not_null']],
    ['/houses?listed=eq.|', ['true', 'false']],
    ['/houses?state=eq.|', ['new', 'in repair', 'a,b']],
    ['/houses?state=in.(new,|)', ['new', 'in repair', 'a,b']],
    ['/houses?state=in.(new,"a|', ['a,b']],
    ['/houses?built=eq(|', ['any', 'all']],
    ['/houses?a.b=eq.1&"a.b"=fts(en|', ['english']],
    ['/houses?or=(bu|', ['built']],
    ['/houses?or=(id.eq.1,and(st|', ['street_id', 'state']],
    ['/houses?or=(built.|', ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'is', 'isdistinct', 'not']],
    ['/houses?or=(id.eq.1,not.|', ['or', 'and']],
    ['/houses?or=(state.in.(new,|', ['new', 'in repair', 'a,b']],
    ['/houses?or=(id.eq.1,state.eq.i|)&limit=1', ['in repair']],
    ['/houses?select=s:streets(*)&s.or=(n|', ['name', 'not.or', 'not.and']],
    ['/rpc/oldest?listed_only=|', ['true', 'false']],
    ['/rpc/oldest?many=1&state=eq.n|', ['new']],
    ['/rpc/oldest?select=streets(n|', ['name']],
    ['/nothing?select=|', []],
    ['/nothing?a=eq|', ['eq']],
    ['/nothing?a=ad|', ['adj']],
    ['/houses?limit=|', []],
    ['/houses?.select=%|20', []],
    ['/houses?secret|', []],
  ])('for %s', (text, labels) => {
    expect(labelsAt(text)).toEqual(labels);
  });
});

test.each([
  ['/ho|', 'houses', '/houses|'],
  ['/ol|', 'oldest', '/rpc/oldest|'],
  ['/rpc/o|', 'oldest', '/rpc/oldest|'],
  ['/houses?sel|', 'select', '/houses?select=|'],
  ['/houses?sel|=id', 'select', '/houses?select|=id'],
  ['/houses?o|', 'or', '/houses?or=(|)'],
  ['/houses?a|', 'a.b', '/houses?"a.b"=|'],
  ['/people?ord|', 'order', '/people?order=|'],
  ['/houses?select=str|', 'streets', '/houses?select=streets(|)'],
  ['/houses?select=id,peo|', 'people!owner_fkey', '/houses?select=id,people!owner_fkey(|)'],
  ['/houses?select=str|(name)', 'streets', '/houses?select=streets|(name)'],
  ['/houses?select=id,bu|ilding,x', 'built', '/houses?select=id,built|,x'],
  ['/houses?select=id,%22a|', 'a.b', '/houses?select=id,"a.b"|'],
  ['/houses?select=people!owner_fkey(ni|)', 'nick name', '/houses?select=people!owner_fkey(nick%20name|)'],
  ['/houses?select=*,streets(*)&str|', 'streets', '/houses?select=*,streets(*)&streets.|'],
  ['/houses?built=g|', 'gte', '/houses?built=gte.|'],
  ['/houses?built=g|.2020', 'gte', '/houses?built=gte|.2020'],
  ['/houses?state=i|', 'in', '/houses?state=in.(|)'],
  ['/houses?state=eq.i|', 'in repair', '/houses?state=eq.in%20repair|'],
  ['/houses?state=in.(a|)', 'a,b', '/houses?state=in.("a,b"|)'],
  ['/houses?or=(st|', 'state', '/houses?or=(state.|'],
  ['/houses?or=(id.eq.1,|)', 'and', '/houses?or=(id.eq.1,and(|))'],
  ['/houses?order=id,bu|.desc', 'built', '/houses?order=id,built|.desc'],
  ['/houses?name=eq.%C3%A9&select=%C3%A9,bu|', 'built', '/houses?name=eq.%C3%A9&select=%C3%A9,built|'],
])('%s with the option %s becomes %s', (text, label, after) => {
  expect(accept(text, label)).toBe(after);
});

test.each([
  ['/houses?built=eq.|', 'a date, such as 2026-05-01'],
  ['/houses?features=cs.|', 'text[], such as {a,b}'],
  ['/houses?a=like.|', 'a pattern, in which * matches any text'],
  ['/houses?limit=|', 'maximum number of rows'],
  ['/houses?select=details->|', 'a key, or an index starting at 0'],
  ['/rpc/oldest?many=|', 'a number'],
])('%s has the hint %s', (text, hint) => {
  expect(completeAt(text)?.hint).toBe(hint);
});

test('aggregates are offered only if they are enabled', () => {
  const off = schemaWith({ features: { aggregates: false, plans: false, rollback: false } });
  expect(labelsAt('/houses?select=cou|', off)).toEqual([]);
  expect(completeAt('/houses?select=id.|', off)?.hint).toBe('Aggregates are disabled on this server');
});

const EXTENDED = schemaWith({
  features: {
    aggregates: true,
    plans: false,
    rollback: false,
    extensions: ['aggregates', 'compare', 'score', 'recursive'],
  },
});

test.each<readonly [string, readonly string[]]>([
  ['/houses?di|', ['distinct']],
  ['/houses?distinct=bu|', ['built']],
  ['/houses?distinct=built,|', ['id', 'street_id', 'built']],
  ['/houses?sco|', ['score']],
  ['/rpc/oldest?many=1&sco|', []],
  ['/houses?score=ad|', ['address']],
  ['/houses?score=address.|', ['wfts', 'plfts', 'phfts', 'fts', 'trgm']],
  ['/houses?score=address.wfts(eng|', ['english']],
  ['/houses?score=built.|', ['trgm', 'distance', 'l2', 'cosine', 'l1', 'ip']],
  ['/houses?score=address.wfts.x&order=sc|', ['score']],
  ['/houses?score=address.wfts.x&select=sc|', ['score']],
  ['/houses?order=id.med|', ['median()']],
  ['/houses?order=cou|', ['count()']],
  ['/houses?order=id.sum().d|', ['desc']],
  ['/houses?select=id.med|', ['median()']],
  ['/houses?select=state&cou|', ['count()']],
  ['/houses?count()=g|', ['gt', 'gte']],
  ['/houses?built=lt(|', ['any', 'all', 'column', 'parent']],
  ['/houses?built=lt(column).str|', ['street_id']],
  ['/houses?select=*,streets(*)&streets.id=lt(parent).bu|', ['built']],
  ['/houses?select=streets{4}(na|)', ['name']],
  ['/houses?select=people!owner_fkey{2}(ni|)', ['nick name']],
])('with the extensions, the first options for %s', (text, labels) => {
  expect(labelsAt(text, EXTENDED).slice(0, Math.max(1, labels.length))).toEqual(labels);
});

test.each([
  '/houses?di|',
  '/houses?sco|',
  '/houses?order=cou|',
  '/houses?order=id.med|',
  '/houses?select=id.med|',
  '/houses?select=state&cou|',
  '/houses?built=lt(col|',
])('without the extensions, %s has no options', (text) => {
  expect(labelsAt(text)).toEqual([]);
});

test.each([
  ['/hou|ses', 'houses', 'table'],
  ['/streets', 'streets', 'table · The streets'],
  ['/rpc/old|est', 'oldest', 'function(many, listed_only)'],
  ['/houses?select=bu|ilt', 'built', 'date'],
  ['/houses?select=streets(na|me)', 'name', 'text · As on the sign'],
  ['/houses?select=str|eets(name)', 'streets', 'one of streets · street_id → id'],
  ['/houses?select=add|ress', 'address', 'text, computed'],
  ['/houses?built=gt|e.2020', 'gte', 'is at least'],
  ['/houses?built=gte.20|20', 'built', 'a date, such as 2026-05-01'],
  ['/houses?"a|.b"=eq.x', 'a.b', 'text'],
  ['/houses?or=(built.n|ot.eq.1)', 'not', 'negates the operator'],
  ['/houses?order=built.de|sc', 'desc', 'largest first'],
  ['/rpc/oldest?ma|ny=1', 'many', 'integer, required argument'],
])('%s is described as %s: %s', (text, title, detail) => {
  const offset = text.includes('|') ? text.indexOf('|') : text.length;
  expect(describeAt(text.replace('|', ''), offset, SCHEMA)).toMatchObject({ title, detail });
});

test('any text at any position yields ranges within the text', () => {
  const pieces = [
    '/houses',
    '/rpc/oldest',
    '?',
    'select=',
    'streets',
    '(',
    ')',
    ',',
    '.',
    'or=(',
    'eq.',
    'in.(',
    '"',
    '\\',
    '%20',
    '%',
    '&',
    '=',
    ':',
    '::',
    '->>',
    '!',
    '...',
    'é',
    '{',
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 15 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.nat(60), (url, at) => {
      const offset = Math.min(at, url.length);
      const completion = complete(url, offset, SCHEMA);
      describeAt(url, offset, SCHEMA);
      if (completion === undefined) return;
      expect(completion.from).toBeLessThanOrEqual(offset);
      expect(completion.to).toBeGreaterThanOrEqual(offset);
      expect(completion.to).toBeLessThanOrEqual(url.length);
    }),
    { numRuns: 3000 },
  );
});

test('any name is rendered so that the server parses it back', () => {
  const name = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    fc.string({ unit: fc.constantFrom(...Array.from('ab "\\\\,.:()->!*{}&=%+#?/é🏠')), minLength: 1, maxLength: 6 }),
    fc.constantFrom('select', 'order', 'limit', 'and', 'or', 'not', 'inner', 'a-b', '1', "o'clock"),
  );
  fc.assert(
    fc.property(name, (odd) => {
      const relations = [
        relation(odd, { columns: [column(odd, INTEGER)] }),
        relation('t', { columns: [column(odd, INTEGER)] }),
      ];
      const schema = schemaWith({ relations, functions: [] });
      const model = (text: string, rest: string) => {
        const completion = completeAt(text, schema);
        const option = completion?.options.find((one) => one.label === odd && one.kind !== 'parameter');
        if (completion === undefined || option === undefined) throw new Error(`${odd} is not offered`);
        const url = text.slice(0, completion.from) + option.apply + rest;
        const parsed = parseUrl(url);
        if (!parsed.ok) throw new Error(url);
        return parsed.value;
      };
      const field = { column: odd, path: [] };
      expect(model('/|', '').path.name).toBe(odd);
      expect(model('/t?|', 'eq.1').params.filters).toMatchObject([{ path: [], value: { field } }]);
      expect(model('/t?select=|', '').params.select).toMatchObject([{ field }]);
      expect(model('/t?order=|', '.desc').params.orders).toMatchObject([{ value: [{ field }] }]);
      expect(model('/t?or=(|', 'eq.1)').params.logic).toMatchObject([{ value: { members: [{ field }] } }]);
    }),
    { numRuns: 500 },
  );
});

test('completion in a large schema is fast', () => {
  const columns = Array.from({ length: 1600 }, (_, number) => column(`column_${number}`, number % 2 ? TEXT : INTEGER));
  const relations = Array.from({ length: 2000 }, (_, number) => relation(`relation_${number}`, { columns }));
  const large = schemaWith({ relations });
  for (const text of ['/rel|', '/relation_1999?co|', '/relation_7?select=column_1,column_15|', '/relation_7?or=(|']) {
    const times = Array.from({ length: 20 }, () => {
      const start = performance.now();
      completeAt(text, large);
      return performance.now() - start;
    });
    expect(Math.min(...times)).toBeLessThan(5);
  }
  expect(labelsAt('/relation_7?select=column_159|', large)).toEqual(
    [159, ...Array.from({ length: 10 }, (_, i) => 1590 + i)].map((n) => `column_${n}`).slice(1),
  );
});

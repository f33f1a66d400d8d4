import { describe, expect, it } from 'vitest';
import type { Routine, SchemaCache } from '../../../src/catalog/schema-cache.ts';
import { resolveRoutine, type OverloadSearch } from '../../../src/plan/calls/overload.ts';

/** Parses `add(a integer, b integer = default, variadic c text)`; an unnamed parameter is only its type. */
function routine(signature: string, comment?: string): Routine {
  const open = signature.indexOf('(');
  const list = signature.slice(open + 1, -1);
  return {
    oid: signature,
    name: { schema: 'api', name: signature.slice(0, open) },
    comment,
    parameters: list === '' ? [] : list.split(', ').map(parameter),
    result: { kind: 'void' },
    volatility: 'volatile',
    isolation: undefined,
    settings: [],
  };
}

function parameter(text: string): Routine['parameters'][number] {
  const [declaration = '', ...defaults] = text.split(' = ');
  const words = declaration.replace(/^variadic /, '').split(' ');
  const type = words.at(-1) ?? '';
  return {
    name: words.length > 1 ? (words[0] ?? '') : '',
    type,
    castType: type,
    isRequired: defaults.length === 0,
    isVariadic: text.startsWith('variadic '),
  };
}

function cacheOf(...routines: readonly Routine[]): SchemaCache {
  const byName = new Map<string, Routine[]>();
  for (const one of routines) byName.set(one.name.name, [...(byName.get(one.name.name) ?? []), one]);
  return {
    relations: new Map(),
    relationships: new Map(),
    routines: new Map([['api', byName]]),
    rowTypes: new Map(),
    representations: new Map(),
    mediaHandlers: [],
    constraintComments: new Map(),
    returnsOldRows: false,
    hasGeoJson: false,
    schemaComments: new Map(),
    isUtf8: true,
    distances: new Map(),
    nameTypes: new Set(),
    spelledTypes: new Set(),
    shards: undefined,
  };
}

const CACHE = cacheOf(
  routine('add(a integer, b integer)'),
  routine('hello(name text = default)'),
  routine('restock(part_id integer, amount integer)'),
  routine('choose()'),
  routine('choose(a integer)'),
  routine('choose(a integer, b integer)'),
  routine('price_of(item text)'),
  routine('price_of(item integer)'),
  routine('pick(a integer)'),
  routine('pick(a integer, b integer)'),
  routine('pick(a integer, b integer, c integer = default)'),
  routine('absorb(json)'),
  routine('absorb(a integer, b integer)'),
  routine('ingest(jsonb)'),
  routine('ingest(json)'),
  routine('named_json(doc json)'),
  routine('shout(text)'),
  routine('xml_in(xml)'),
  routine('blob_len(bytea)'),
  routine('greet(text)'),
  routine('greet(name text = default)'),
  routine('mixed(a integer, b text = default, variadic rest integer[])'),
);

/** Returns how the routine is called and its parameters, or the error. */
function resolve(name: string, names: string, search: Partial<OverloadSearch> = {}): unknown {
  const result = resolveRoutine({
    cache: CACHE,
    visible: undefined,
    name: { schema: 'api', name },
    argumentNames: names === '' ? [] : names.split(','),
    method: 'post',
    contentType: 'json',
    singleObject: false,
    ...search,
  });
  if (!result.ok) return result.error;
  const { parameters } = result.value.routine;
  return `${result.value.passing} ${parameters.map((one) => `${one.name} ${one.type}`.trim()).join(', ')}`.trim();
}

function notFound(name: string, search: object, suggestion?: string): object {
  return { kind: 'routineNotFound', routine: { schema: 'api', name }, search, suggestion };
}

function byNames(names: readonly string[], orWholeJson: boolean): object {
  return { kind: 'arguments', names, orWholeJson };
}

function ambiguous(...signatures: readonly string[]): object {
  return { kind: 'routineAmbiguous', signatures };
}

const GET: Partial<OverloadSearch> = { method: 'get' };

describe('by name', () => {
  it('W177 calls the function whose parameters are the arguments', () => {
    expect(resolve('add', 'b,a')).toBe('named a integer, b integer');
    expect(resolve('add', 'a,b', GET)).toBe('named a integer, b integer');
    expect(resolve('add', 'a,b,a', { contentType: 'form' })).toBe('named a integer, b integer');
  });

  it('W178 lets defaults be omitted', () => {
    expect(resolve('hello', '')).toBe('named name text');
    expect(resolve('hello', 'name', GET)).toBe('named name text');
    expect(resolve('mixed', 'a,rest')).toBe('named a integer, b text, rest integer[]');
  });

  it('W179 rejects an unknown argument', () => {
    expect(resolve('hello', 'name,extra')).toEqual(notFound('hello', byNames(['extra', 'name'], true), 'hello(name)'));
  });

  it('W180 rejects a missing required argument', () => {
    expect(resolve('add', 'a', GET)).toEqual(notFound('add', byNames(['a'], false), 'add(a, b)'));
    expect(resolve('add', '')).toEqual(notFound('add', byNames([], true)));
    expect(resolve('mixed', 'b,rest', GET)).toEqual(
      notFound('mixed', byNames(['b', 'rest'], false), 'mixed(a, b, rest)'),
    );
  });

  it('compares names case-sensitively', () => {
    expect(resolve('add', 'A,b')).toEqual(notFound('add', byNames(['A', 'b'], true), 'add(a, b)'));
  });

  it('W181 lists each name once, in code-point order', () => {
    expect(resolve('restock', 'part_id,ammount,part_id')).toEqual(
      notFound('restock', byNames(['ammount', 'part_id'], true), 'restock(amount, part_id)'),
    );
    expect(resolve('nowhere', 'b,\u{1f600},\uff01,B')).toEqual(
      notFound('nowhere', byNames(['B', 'b', '\uff01', '\u{1f600}'], true)),
    );
  });

  it.each([
    [{ method: 'post', contentType: 'json' }, true],
    [{ method: 'get', contentType: 'json' }, false],
    [{ method: 'options', contentType: 'json' }, false],
    [{ method: 'post', contentType: 'form' }, false],
    [{ method: 'post', contentType: 'csv' }, false],
  ] as const)('W182 with %j mentions the whole JSON body: %s', (search, orWholeJson) => {
    expect(resolve('restock', 'zzz', search)).toEqual(notFound('restock', byNames(['zzz'], orWholeJson)));
  });

  it('W184 suggests the closest function of the schema', () => {
    expect(resolve('restok', 'amount')).toEqual(notFound('restok', byNames(['amount'], true), 'restock'));
    expect(resolve('restok', '', { method: 'options' })).toEqual(notFound('restok', byNames([], false), 'restock'));
    expect(resolve('restok', '', { name: { schema: 'labs', name: 'restok' } })).toEqual(
      expect.objectContaining({ suggestion: undefined }),
    );
  });

  it('W185 suggests the closest parameters of the function', () => {
    expect(resolve('choose', 'a,b,bb', GET)).toEqual(
      notFound('choose', byNames(['a', 'b', 'bb'], false), 'choose(a, b)'),
    );
  });

  it('W186 makes no suggestion if nothing is similar enough', () => {
    expect(resolve('reshuffle', '')).toEqual(notFound('reshuffle', byNames([], true)));
    expect(resolve('add', 'ratio')).toEqual(notFound('add', byNames(['ratio'], true)));
  });

  it('W187 chooses among overloads by argument names', () => {
    expect(resolve('choose', '')).toBe('named');
    expect(resolve('choose', 'a')).toBe('named a integer');
    expect(resolve('choose', 'b,a', GET)).toBe('named a integer, b integer');
    expect(resolve('pick', 'a')).toBe('named a integer');
    expect(resolve('pick', 'c,b,a')).toBe('named a integer, b integer, c integer');
  });

  it('W188 reports overloads that match the names equally well as ambiguous', () => {
    expect(resolve('price_of', 'item', GET)).toEqual(
      ambiguous('api.price_of(item => integer)', 'api.price_of(item => text)'),
    );
    expect(resolve('pick', 'a,b')).toEqual(
      ambiguous('api.pick(a => integer, b => integer)', 'api.pick(a => integer, b => integer, c => integer)'),
    );
  });

  it('W188 lists overloads by number of parameters, then without comments first, then by names and types', () => {
    const cache = cacheOf(
      routine('f(a text, b text = default)'),
      routine('f(a text, c integer = default)', 'B'),
      routine('f(a text, c text = default)', 'A'),
      routine('f(a text, b integer = default)'),
      routine('f(a text)', 'Z'),
    );
    expect(resolve('f', 'a', { cache })).toEqual(
      ambiguous(
        'api.f(a => text)',
        'api.f(a => text, b => integer)',
        'api.f(a => text, b => text)',
        'api.f(a => text, c => text)',
        'api.f(a => text, c => integer)',
      ),
    );
  });

  it('W193 ignores the content type of a GET', () => {
    expect(resolve('add', 'a,b', { method: 'get', contentType: 'text' })).toBe('named a integer, b integer');
    expect(resolve('choose', '', { method: 'get', contentType: 'text' })).toBe('named');
    expect(resolve('add', 'a', { method: 'get', contentType: 'text' })).toEqual(
      notFound('add', byNames(['a'], false), 'add(a, b)'),
    );
  });

  it('does not find functions that are not in the cache', () => {
    expect(resolve('odd', 'a')).toEqual(notFound('odd', byNames(['a'], true)));
  });
});

describe('whole body', () => {
  it('W189 goes to the unnamed JSON parameter if no overload has the names', () => {
    expect(resolve('absorb', 'a,c')).toBe('wholeBody json');
    expect(resolve('absorb', 'a,b')).toBe('named a integer, b integer');
    expect(resolve('absorb', '')).toBe('wholeBody json');
    expect(resolve('absorb', 'a,c', { contentType: 'form' })).toEqual(
      notFound('absorb', byNames(['a', 'c'], false), 'absorb(a, b)'),
    );
  });

  it('passes an argument with an empty name to the unnamed parameter, except on GET', () => {
    expect(resolve('shout', ',')).toBe('named text');
    expect(resolve('shout', ',', { contentType: 'form' })).toBe('named text');
    expect(resolve('absorb', ',')).toBe('wholeBody json');
    expect(resolve('absorb', ',a')).toBe('wholeBody json');
    expect(resolve('shout', ',', GET)).toEqual(notFound('shout', byNames([''], false), 'shout()'));
  });

  it('W190 reports unnamed json and jsonb overloads as ambiguous', () => {
    expect(resolve('ingest', 'a')).toEqual(ambiguous('api.ingest( => json)', 'api.ingest( => jsonb)'));
  });

  it.each([
    ['shout', 'text'],
    ['xml_in', 'xml'],
    ['blob_len', 'octets'],
  ] as const)('W191 goes to the unnamed parameter of %s as %s only', (name, contentType) => {
    const type = { text: 'text', xml: 'xml', octets: 'bytea' }[contentType];
    expect(resolve(name, '', { contentType })).toBe(`wholeBody ${type}`);
    expect(resolve(name, '', GET)).toEqual(notFound(name, byNames([], false), `${name}()`));
    expect(resolve(name, '')).toEqual(notFound(name, byNames([], true), `${name}()`));
  });

  it('W183 W191 does not go to a function with another type or without parameters', () => {
    const search = { kind: 'rawBody', type: 'text' };
    expect(resolve('xml_in', '', { contentType: 'text' })).toEqual(notFound('xml_in', search));
    expect(resolve('choose', '', { contentType: 'text' })).toEqual(notFound('choose', search));
    expect(resolve('restok', '', { contentType: 'xml' })).toEqual(notFound('restok', { ...search, type: 'xml' }));
    expect(resolve('restock', '', { contentType: 'octets' })).toEqual(
      notFound('restock', { ...search, type: 'bytea' }),
    );
  });

  it('W191 is ignored if all parameters of an overload are optional', () => {
    expect(resolve('hello', '', { contentType: 'text' })).toBe('named name text');
    expect(resolve('greet', '', { contentType: 'text' })).toBe('named name text');
  });

  it('W192 does not go to a named parameter', () => {
    expect(resolve('named_json', 'a')).toEqual(notFound('named_json', byNames(['a'], true)));
    expect(resolve('named_json', 'doc')).toBe('named doc json');
  });
});

describe('params=single-object', () => {
  it('W217 calls the only function with a single json or jsonb parameter, whatever the arguments', () => {
    expect(resolve('named_json', 'a,b', { singleObject: true })).toBe('singleObject doc json');
    expect(resolve('named_json', 'a,b', { ...GET, singleObject: true })).toBe('singleObject doc json');
    expect(resolve('absorb', 'a,b', { singleObject: true })).toBe('singleObject json');
  });

  it('W217 reports two such functions as ambiguous', () => {
    expect(resolve('ingest', '', { singleObject: true })).toEqual(
      ambiguous('api.ingest( => json)', 'api.ingest( => jsonb)'),
    );
  });

  it('W217 finds no other function', () => {
    expect(resolve('restock', 'a', { singleObject: true })).toEqual(notFound('restock', { kind: 'singleObject' }));
    expect(resolve('shout', '', { singleObject: true, contentType: 'text' })).toEqual(
      notFound('shout', { kind: 'singleObject' }),
    );
  });
});

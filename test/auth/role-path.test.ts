import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findReplacement, parseRolePath, printRolePath, resolveRole } from '../../src/auth/role-path.ts';
import { print, role } from './role-of.ts';

describe('the legacy path language', () => {
  it.each([
    ['.duty.role', 'clerk'],
    ['."https://port.example/role"', 'pilot'],
    ['."a b"."c.d"', 'quoted'],
    ['._x$y@', 'odd'],
    ['.größe', 'wide'],
    ['.roles[1]', 'port_clerk'],
    ['.grants[01].role', 'harbour_master'],
    ['.roles[?(@ == "ops")]', 'ops'],
    ['.roles[?(@ != "basic")]', 'port_clerk'],
    ['.roles[?(@ ^== "port_")]', 'port_clerk'],
    ['.roles[?(@ ==^ "clerk")]', 'port_clerk'],
    ['.roles[?(@ *== "_cl")]', 'port_clerk'],
    ['.roles[?(@*=="_cl")]', 'port_clerk'],
    ['.roles[7]', undefined],
    ['.roles.x', undefined],
    ['.duty[0]', undefined],
    ['.nothing.at.all', undefined],
    ['.toString', undefined],
    ['[0]', undefined],
    ['.roles[?(@ == "zz")]', undefined],
    ['.duty[?(@ == "clerk")]', undefined],
    ['.wanted[?(@ == "o")]', undefined],
  ])('O100 %s finds %s', (text, expected) => {
    expect(role(text)).toBe(expected);
  });

  it('O101 filters skip elements that are not strings', () => {
    expect(role('.mixed[?(@ != "zz")]')).toBe('text');
    expect(role('.mixed[?(@ != "text")]')).toBeUndefined();
    expect(role('.mixed[?(@ ^== "")]')).toBe('text');
  });

  it.each([
    ['.roles[?(@ == "x")]', '."roles"[?(@ == "x")]'],
    ['.a."b c"[12]', '."a"."b c"[12]'],
    ['.a[?(@  *==\t"$\'")]', '."a"[?(@ *== "$\'")]'],
    ['.""[?(@ ==^"")]', '.""[?(@ ==^ "")]'],
  ])('prints %s as %s', (text, expected) => {
    expect(print(text)).toBe(expected);
    expect(print(expected)).toBe(expected);
  });

  it.each([
    'duty.role',
    '.duty##',
    '.a;;b',
    '1234',
    '.roles[?(@ =)]',
    '@@.x',
    '.',
    '.a.',
    '.a b',
    '."a',
    '.a[]',
    '.a[-1]',
    '.a[1',
    '.a[99999999999999999999]',
    '.a[?(@ == x)]',
    '.a[?(@ == "x"]',
    '.a[?(@ == "x" )]',
    '.a[?(@ === "x")]',
    '.a[?(@ == "x")].b',
    '.a[?(@ == "x")][0]',
    '.a[?@ == "x"]',
  ])('O102 rejects %s', (text) => {
    expect(parseRolePath(text)).toEqual({ ok: false, error: `failed to parse role-claim-key value (${text})` });
  });
});

it('O91 the default path finds the claim role', () => {
  expect(role('$.role', { role: 'Ops Clerk' })).toBe('Ops Clerk');
  expect(role('$.role', {})).toBeUndefined();
});

it('a value other than a string becomes its JSON text', () => {
  expect(role('$.count')).toBe('5');
  expect(role('.mixed[2]')).toBe('null');
  expect(role('$.mixed[4]')).toBe('true');
  expect(role('$.duty')).toBe('{"role":"clerk"}');
  expect(role('.roles')).toBe('["basic","port_clerk","ops"]');
  expect(role('$', {})).toBe('{}');
  expect(role('$.empty', { empty: '' })).toBe('');
});

it('O103 only the legacy language causes a warning', () => {
  const paths = ['.duty', '[0]', '$.duty', "$['duty']"].map((text) => parseRolePath(text));
  expect(paths.map((path) => path.ok && findReplacement(path.value))).toEqual(['$.duty', '$[0]', undefined, undefined]);
});

describe('the replacement of a legacy path', () => {
  it.each([
    ['.duty.role', '$.duty.role'],
    ['."site-role"."it\'s"', String.raw`$['site-role']['it\'s']`],
    ['._x$y@', "$['_x$y@']"],
    ['.größe[01]', '$.größe[1]'],
    ['.roles[?(@ == "a.b")]', "$.roles[?@ == 'a.b']"],
    ['.roles[?(@ != "basic")]', "$.roles[?@ != 'basic']"],
    ['.roles[?(@ ^== "port.")]', String.raw`$.roles[?search(@, '^port\\.')]`],
    ['.roles[?(@ ==^ "clerk")]', "$.roles[?search(@, 'clerk$')]"],
    ['.roles[?(@ *== "(cl")]', String.raw`$.roles[?search(@, '\\(cl')]`],
  ])('O103 %s: %s', (text, replacement) => {
    const path = parseRolePath(text);
    expect(path.ok && findReplacement(path.value)).toBe(replacement);
  });

  const PIECES = ['a', 'b', '.', '^', '$', '*', '(', '\\', '|', '[', ']', '{', '}', "'", 'é', ' '];

  it('O103 finds the same role in objects and arrays of strings', () => {
    const words = fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 3 });
    const operators = fc.constantFrom('==', '!=', '^==', '==^', '*==');
    fc.assert(
      fc.property(fc.array(words), words, words, operators, (roles, name, text, operator) => {
        const claims = { [name]: { roles } };
        const legacy = `."${name}".roles[?(@ ${operator} "${text}")]`;
        const path = parseRolePath(legacy);
        const replacement = path.ok ? findReplacement(path.value) : undefined;
        expect(role(replacement ?? '', claims)).toBe(role(legacy, claims));
      }),
    );
  });
});

describe('any text', () => {
  const pieces = [
    '$ @ . .. [ ] ( ) ? ! * , : a ü 0 1 -2 1.5e3 " \' "x" \'y\' \\ search( true null == != < >= && || ^== ==^ *==',
    "$.a @.b .a [0] [?@ [?(@ )] [?@.a=='b'] search(@,'x') [*] ..*",
  ]
    .flatMap((texts) => texts.split(' '))
    .concat(' ', '\n');
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join('')),
    fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => `$${parts.join('')}`),
  );

  it('is either rejected, or prints to text that parses to the same path', () => {
    fc.assert(
      fc.property(text, (input) => {
        const path = parseRolePath(input);
        if (!path.ok) return;
        expect(parseRolePath(printRolePath(path.value))).toEqual(path);
      }),
      { numRuns: 3000 },
    );
  });

  it('finds text or nothing in any claims', () => {
    const names = fc.constantFrom('a', 'b', 'role', '__proto__');
    fc.assert(
      fc.property(text, fc.dictionary(names, fc.jsonValue()), (input, claims) => {
        const path = parseRolePath(input);
        if (!path.ok) return;
        expect(typeof (resolveRole(path.value, claims) ?? '')).toBe('string');
      }),
      { numRuns: 1000 },
    );
  });
});

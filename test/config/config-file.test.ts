import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseConfigFile } from '../../src/config/syntax/config-file.ts';
import { quoteConfigText } from '../../src/config/syntax/config-string.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { ConfigValue } from '../../src/config/syntax/config-value.ts';

type Parsed = Result<ReadonlyMap<string, ConfigValue>, string>;

function parse(text: string, environment: Readonly<Record<string, string>> = {}): Parsed {
  return parseFiles({ 'dir/main.conf': text }, environment);
}

function parseFiles(
  files: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
): Parsed {
  const texts = new Map(Object.entries(files));
  const parsed = parseConfigFile('dir/main.conf', {
    readFile: (path) => {
      const text = texts.get(path);
      return text === undefined ? fail(`${path}: missing`) : ok(text);
    },
    environment: new Map(Object.entries(environment)),
  });
  return parsed.ok ? ok(parsed.value.entries) : parsed;
}

const text = (value: string): ConfigValue => ({ kind: 'text', text: value });
const number = (value: string): ConfigValue => ({ kind: 'number', text: value });
const boolean = (value: boolean): ConfigValue => ({ kind: 'boolean', value });

describe('values', () => {
  test.each<[string, ConfigValue]>([
    ['"some text"', text('some text')],
    ['""', text('')],
    ['"two\nlines"', text('two\nlines')],
    ['true', boolean(true)],
    ['on', boolean(true)],
    ['false', boolean(false)],
    ['off', boolean(false)],
    ['13', number('13')],
    ['-5', number('-5')],
    ['+5', number('5')],
    ['0660', number('660')],
    ['1e3', number('1000')],
    ['1.50', number('1.5')],
    ['13.0', number('13')],
    ['12345678901234567890', number('12345678901234567890')],
    ['1e999', number('1e999')],
    ['[]', { kind: 'list', items: [] }],
    ['["a", 1, [true]]', { kind: 'list', items: [text('a'), number('1'), { kind: 'list', items: [boolean(true)] }] }],
    ['[ # first\n "a",\n "b"\n]', { kind: 'list', items: [text('a'), text('b')] }],
  ])('key = %s', (written, value) => {
    expect(parse(`key = ${written}\n`)).toEqual(ok(new Map([['key', value]])));
  });

  test.each([
    ['\\n', '\n'],
    ['\\t', '\t'],
    ['\\r', '\r'],
    ['\\"', '"'],
    ['\\\\', '\\'],
    ['\\u00e9', 'é'],
    ['\\uD83D\\uDE00', '😀'],
    ['\\\\n', '\\n'],
  ])('O12 the escape %s', (escape, character) => {
    expect(parse(`key = "a${escape}b"`)).toEqual(ok(new Map([['key', text(`a${character}b`)]])));
  });
});

describe('entries', () => {
  test.each<[string, string, Record<string, ConfigValue>]>([
    ['O7 the last of two equal keys wins', 'a = 1\nb = 2\na = 3\n', { a: number('3'), b: number('2') }],
    ['blanks around the equals sign', 'a=1\n  b   =\t2  \r\n', { a: number('1'), b: number('2') }],
    ['a line break after the equals sign', 'a =\n\n  "x"\n', { a: text('x') }],
    ['comments', '# one\n  # two\na = 1 # three\n#four', { a: number('1') }],
    ['disabled entries', '#; a = 1\n#;b { c = "$" }\n#; import "gone"\nd = 1', { d: number('1') }],
    ['keys with dots, digits, dashes and underscores', 'a-b.c_d.e1 = 1', { 'a-b.c_d.e1': number('1') }],
    ['later words of a key may begin with a digit', 'app.settings.2x = 1', { 'app.settings.2x': number('1') }],
    ['non-ASCII letters in keys and comments', '# Größe ☃\nschlüssel = "☃"', { schlüssel: text('☃') }],
    ['O11 groups', 'app {\n  settings {\n    motto = "hi" # x\n  }\n}\n', { 'app.settings.motto': text('hi') }],
    ['groups on one line', 'app { settings { motto = "hi" } }', { 'app.settings.motto': text('hi') }],
    ['an empty group', 'a { }\nb = 1', { b: number('1') }],
    ['a key named import', 'import = 1', { import: number('1') }],
    ['nothing', '', {}],
    ['only blank lines', '\n \n\t\n', {}],
  ])('%s', (_, written, values) => {
    expect(parse(written)).toEqual(ok(new Map(Object.entries(values))));
  });

  test('O11 imports are spliced in place, relative to the importing file', () => {
    const files = {
      'dir/main.conf': 'a = 1\nimport "sub/more.conf"\nd = "$(b)"\n',
      'dir/sub/more.conf': 'a = 2\nb = 3\ngroup { import "leaf.conf" }\n',
      'dir/sub/leaf.conf': 'c = "$(a)"',
    };
    const values = new Map([
      ['a', number('2')],
      ['b', number('3')],
      ['group.c', text('2')],
      ['d', text('3')],
    ]);
    expect(parseFiles(files)).toEqual(ok(values));
  });

  test('resolves an absolute import', () => {
    expect(parseFiles({ 'dir/main.conf': 'import "/etc/$(NAME)"', '/etc/x': 'a = 1' }, { NAME: 'x' })).toEqual(
      ok(new Map([['a', number('1')]])),
    );
  });

  test('a missing import is an error', () => {
    expect(parse('import "gone"')).toEqual(fail('dir/gone: missing'));
  });

  test('a file that imports itself is an error', () => {
    expect(parse('import "./main.conf"').ok).toBe(false);
    expect(parseFiles({ 'dir/main.conf': '\n import "main.conf"' })).toEqual(
      fail('dir/main.conf:2:9: too many nested imports'),
    );
  });
});

describe('interpolation', () => {
  test.each<[string, string, Record<string, string>, string]>([
    ['O8 an earlier key', 'x = "one"\nkey = "<$(x)>"', {}, '<one>'],
    ['O8 a number', 'x = 1e3\nkey = "$(x)"', {}, '1000'],
    ['O8 the environment', 'key = "$(TOKEN)-v2"', { TOKEN: 'abc' }, 'abc-v2'],
    ['O8 an earlier key hides the environment', 'x = "file"\nkey = "$(x)"', { x: 'env' }, 'file'],
    ['O8 a later key is ignored', 'key = "$(x)"\nx = "file"', { x: 'env' }, 'env'],
    ['O8 a boolean has no text', 'x = true\nkey = "$(x)"', { x: 'env' }, 'env'],
    ['the earlier value of the same key', 'key = "a"\nkey = "$(key)b"', {}, 'ab'],
    ['O9 two dollars become one', 'key = "pa$$word$$"', {}, 'pa$word$'],
    ['replaced text is not interpolated again', 'key = "$(TOKEN)"', { TOKEN: '$(x)$$' }, '$(x)$$'],
    ['$$( becomes a dollar and a parenthesis', 'key = "$$(x)"', {}, '$(x)'],
  ])('%s', (_, written, environment, value) => {
    const parsed = parse(written, environment);
    expect(parsed.ok && parsed.value.get('key')).toEqual(text(value));
  });

  test('interpolates inside lists', () => {
    expect(parse('key = ["$(X)", "$$"]', { X: 'x' })).toEqual(
      ok(new Map([['key', { kind: 'list', items: [text('x'), text('$')] }]])),
    );
  });
});

describe('errors contain file, line and column', () => {
  test.each([
    ['O13 an unterminated string', 'a = 1\nb = "abc\n', '2:5: parse error: unterminated string'],
    ['O13 another format', 'db-uri: abc\nlist:\n  - a\n', '1:7: parse error: expected ='],
    ['O12 an unknown escape', 'a = "x\\q"', '1:7: parse error: invalid escape sequence in string'],
    ['O12 a short escape', 'a = "\\u12"', '1:6: parse error: invalid escape sequence in string'],
    ['O12 half a surrogate pair', 'a = "\\uD83D"', '1:5: parse error: incomplete surrogate pair in string'],
    ['O9 a lone dollar', 'a = 1\nb = "x$y"', '2:5: a $ must be followed by $ or by a name in parentheses'],
    ['an unfinished interpolation', 'a = "$(x"', '1:5: a $ must be followed by $ or by a name in parentheses'],
    ['O8 an unknown variable', 'a = "$(NO_SUCH)"', "1:5: no such variable: 'NO_SUCH'"],
    ['two entries on a line', 'a = 1 b = 2', '1:7: parse error: expected the end of the line'],
    ['a disabled entry after an entry', 'a = 1 #; b = 2', '1:7: parse error: expected the end of the line'],
    ['an unfinished group', 'a {\n b = 1', '2:7: parse error: expected }'],
    ['a closing brace without a group', 'a = 1\n}', '2:1: parse error: expected an entry: key = value'],
    ['no value', 'a = ', '1:5: parse error: expected a value: "text", a number, true, false, on, off or a list'],
    ['a bare word', 'a = word', '1:5: parse error: expected a value: "text", a number, true, false, on, off or a list'],
    ['a key that begins with a digit', '1a = 1', '1:1: parse error: expected an entry: key = value'],
    [
      'an unfinished list',
      'a = [1,\n',
      '2:1: parse error: expected a value: "text", a number, true, false, on, off or a list',
    ],
    ['a list without commas', 'a = [1 2]', '1:8: parse error: expected ,'],
    [
      'a broken disabled entry',
      '#; a =',
      '1:7: parse error: expected a value: "text", a number, true, false, on, off or a list',
    ],
  ])('%s', (_, written, error) => {
    expect(parse(written)).toEqual(fail(`dir/main.conf:${error}`));
  });

  test('an error in an imported file names that file', () => {
    expect(parseFiles({ 'dir/main.conf': 'import "a"', 'dir/a': '\nx = "$"' })).toEqual(
      fail('dir/a:2:5: a $ must be followed by $ or by a name in parentheses'),
    );
  });

  test('excessive nesting is an error, not a stack overflow', () => {
    expect(parse('a { '.repeat(100_000)).ok).toBe(false);
    expect(parse(`a = ${'['.repeat(100_000)}`).ok).toBe(false);
  });
});

describe('properties', () => {
  test('any text is either parsed or rejected', () => {
    const piece = fc.constantFrom(
      'a',
      ' ',
      '\n',
      '=',
      '"',
      '$',
      '$(',
      ')',
      '{',
      '}',
      '[',
      ']',
      ',',
      '#',
      ';',
      '\\',
      '1',
      'on',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (written) => {
          expect(parse(written).ok).toBeTypeOf('boolean');
        },
      ),
    );
  });

  test('quoted text parses to the original', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        expect(parse(`key = ${quoteConfigText(value)}\n`)).toEqual(ok(new Map([['key', text(value)]])));
      }),
    );
  });
});

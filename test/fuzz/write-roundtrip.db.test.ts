// Written data is read back unchanged: JSON to the last digit and key, CSV of any standard writer to the last field.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serveWriting } from '../conformance/serve.ts';
import { ask, type Answer } from '../support/http-client.ts';
import { use } from '../support/use.ts';

const FIXTURE = `
  create table api.boxes (id int primary key, raw json, bin jsonb, amount numeric, big bigint, label text);
  create table api.sheets (id int, a text, "b c" text, "d,""e" text);
  grant all on api.boxes, api.sheets to web_anon;`;

const RUNS = 60;

const service = await use(serveWriting({}, FIXTURE));

function send(method: string, url: string, body?: string | Uint8Array, type = 'application/json'): Promise<Answer> {
  return ask(service.server.port, {
    method,
    url,
    body,
    headers: { 'Content-Type': type, Prefer: 'resolution=merge-duplicates', Accept: 'application/json' },
  });
}

/** Returns one column of the single row as the server writes it: the text between `[{"column":` and `}]`. */
async function readBack(column: string): Promise<string> {
  const { body } = await send('GET', `/boxes?select=${column}&id=eq.1`);
  const start = `[{"${column}":`;
  expect([body.slice(0, start.length), body.slice(-2)]).toEqual([start, '}]']);
  return body.slice(start.length, -2);
}

async function storeAndRead(column: string, text: string): Promise<string> {
  const stored = await send('POST', '/boxes', `{"id":1,"${column}":${text}}`);
  expect([stored.status, stored.body]).toEqual([expect.toSatisfy((status) => [200, 201].includes(status)), '']);
  return readBack(column);
}

async function asPostgresSays(type: string, text: string): Promise<unknown> {
  const [row] = await service.query(`select $1::${type}::text as text`, [text]);
  return row?.['text'];
}

const digits = (most: number) => fc.stringMatching(new RegExp(`^(?:0|[1-9]\\d{0,${most - 1}})$`, 'u'));
const sign = fc.constantFrom('', '-');
const numeral = fc
  .tuple(
    sign,
    digits(60),
    fc.option(fc.stringMatching(/^\d{1,40}$/u)),
    fc.option(fc.stringMatching(/^[eE][+-]?\d{1,2}$/u)),
  )
  .map(
    ([minus, whole, fraction, exponent]) =>
      `${minus}${whole}${fraction === null ? '' : `.${fraction}`}${exponent ?? ''}`,
  );
/** Excludes NUL, which PostgreSQL text cannot contain. */
const text = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((value) => !value.includes('\0'));
const quoted = fc.oneof(
  text.map((value) => JSON.stringify(value)),
  fc.constantFrom('"\\u00e9"', '"\\ud83d\\ude80"', '"\\/\\b\\f"', '"🚀é"'),
);
const space = fc.constantFrom('', '', ' ', '\n\t');
/** JSON as text: numbers of any length, duplicate keys, escapes and whitespace. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.oneof(numeral, quoted, fc.constantFrom('null', 'true', 'false')),
    fc
      .tuple(space, fc.array(tie('json'), { maxLength: 4 }))
      .map(([gap, items]) => `[${gap}${items.join(`${gap},${gap}`)}]`),
    fc
      .tuple(space, fc.array(fc.tuple(fc.oneof(quoted, fc.constant('"a"')), tie('json')), { maxLength: 4 }))
      .map(([gap, pairs]) => `{${pairs.map(([key, value]) => `${gap}${key}${gap}:${gap}${value}`).join(',')}}`),
  ),
}));

describe('JSON', () => {
  test('W45 any document in a json column is returned character by character', async () => {
    await fc.assert(
      fc.asyncProperty(json, async (document) => {
        fc.pre(document !== 'null');
        const back = await storeAndRead('raw', document);
        // A string alone is rewritten by PostgreSQL's json_to_record, with other escapes.
        if (document.startsWith('"')) expect(JSON.parse(back)).toBe(JSON.parse(document));
        else expect(back).toBe(document);
      }),
      { numRuns: RUNS },
    );
  });

  test('any document in a jsonb column is returned as PostgreSQL parses it', async () => {
    await fc.assert(
      fc.asyncProperty(json, async (document) => {
        fc.pre(document !== 'null');
        expect(await storeAndRead('bin', document)).toBe(await asPostgresSays('jsonb', document));
      }),
      { numRuns: RUNS },
    );
  });

  test('W18 numbers of up to 100 digits keep all digits', async () => {
    await fc.assert(
      fc.asyncProperty(numeral, async (number) => {
        expect(await storeAndRead('amount', number)).toBe(await asPostgresSays('numeric', number));
      }),
      { numRuns: RUNS },
    );
    const hundred = '1234567890'.repeat(10);
    expect(await storeAndRead('amount', `-${hundred}.${hundred}`)).toBe(`-${hundred}.${hundred}`);
    expect(await storeAndRead('big', '9223372036854775807')).toBe('9223372036854775807');
  });

  test('any text is returned unchanged, whatever escapes it was sent with', async () => {
    await fc.assert(
      fc.asyncProperty(quoted, async (string) => {
        expect(JSON.parse(await storeAndRead('label', string))).toBe(JSON.parse(string));
      }),
      { numRuns: RUNS },
    );
  });

  test('five hundred levels of nesting are returned', async () => {
    const deep = `${'[{"a":'.repeat(250)}1${'}]'.repeat(250)}`;
    expect(await storeAndRead('raw', deep)).toBe(deep);
    expect(JSON.parse(await storeAndRead('bin', deep))).toEqual(JSON.parse(deep));
  });

  const REFUSED = [
    {
      title: 'a lone high surrogate',
      body: String.raw`{"id":2,"label":"\ud800"}`,
      code: '22P02',
      reason: 'low surrogate',
    },
    {
      title: 'a lone low surrogate',
      body: String.raw`{"id":2,"label":"x\udc00"}`,
      code: '22P02',
      reason: 'low surrogate',
    },
    {
      title: 'NUL in a text',
      body: String.raw`{"id":2,"label":"a\u0000b"}`,
      code: '22P05',
      reason: 'u0000 cannot be converted',
    },
    {
      title: 'NUL in a jsonb document',
      body: String.raw`{"id":2,"bin":{"a":"\u0000"}}`,
      code: '22P05',
      reason: 'u0000 cannot be converted',
    },
    {
      title: 'an invalid byte',
      body: Buffer.from([...Buffer.from('{"id":2,"label":"'), 0xff, 0x22, 0x7d]),
      code: 'SVC102',
      reason: 'invalid json',
    },
    {
      title: 'a surrogate in bytes',
      body: Buffer.from([...Buffer.from('{"id":2,"label":"'), 0xed, 0xa0, 0x80, 0x22, 0x7d]),
      code: 'SVC102',
      reason: 'invalid json',
    },
    { title: 'NUL in bytes', body: '{"id":2,"label":"\0"}', code: 'SVC102', reason: 'invalid json' },
  ];
  for (const { title, body, code, reason } of REFUSED) {
    test(`${title} is rejected with the reason`, async () => {
      const refused = await send('POST', '/boxes', body);
      expect([refused.status, (JSON.parse(refused.body) as { code: string }).code]).toEqual([400, code]);
      expect(refused.body).toContain(reason);
      expect(await service.query('select id from api.boxes where id = 2')).toEqual([]);
    });
  }
});

describe('CSV', () => {
  const field = fc.oneof(
    text,
    fc.constantFrom(
      '',
      'NULL',
      'null',
      ' ',
      '"',
      '""',
      ',',
      '\n',
      '\r\n',
      '\r',
      'a"b',
      ' lead',
      '\\',
      '\ufeff',
      '=1+1',
    ),
  );
  const rows = fc.array(fc.tuple(field, field, field), { minLength: 1, maxLength: 20 });
  /** RFC 4180: how a writer ends lines, what it quotes unnecessarily, and whether it ends the last line. */
  const style = fc.record({
    end: fc.constantFrom('\n', '\r\n'),
    quotesAll: fc.boolean(),
    endsLast: fc.boolean(),
  });

  function writeField(value: string, quotesAll: boolean): string {
    return quotesAll || /[",\r\n]/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  }

  test('W21 W22 CSV of any standard writer is read back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(rows, style, async (values, { end, quotesAll, endsLast }) => {
        await service.query('truncate api.sheets');
        const header = ['id', 'a', 'b c', 'd,"e'];
        const lines = [header, ...values.map((row, index) => [String(index), ...row])];
        const csv = lines.map((line) => line.map((value) => writeField(value, quotesAll)).join(',')).join(end);
        const stored = await send('POST', '/sheets', csv + (endsLast ? end : ''), 'text/csv');
        expect([stored.status, stored.body]).toEqual([201, '']);
        const { body } = await send('GET', '/sheets?order=id');
        const expected = values.map((row, index) =>
          Object.fromEntries(header.map((name, at) => [name, at === 0 ? index : readField(row[at - 1] ?? '')])),
        );
        expect(JSON.parse(body)).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  });

  /** The word that represents null (`writing.md` §3.3). */
  function readField(value: string): string | null {
    return value === 'NULL' ? null : value;
  }
});

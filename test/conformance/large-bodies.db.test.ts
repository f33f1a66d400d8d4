// Bodies of 50 MB: every row is stored. The server needs little more memory than the body and its parsed form, and very
// little for a body that is inserted while it arrives.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { ask } from '../support/http-client.ts';
import { serveWriting, type Service } from './serve.ts';

const FIXTURE = `
  create unlogged table api.bulk (id int, code text, label text, note text);
  grant all on api.bulk to web_anon;`;

const SIZE = 50_000_000;
const NOTE = 'a sentence of some length, as one finds them in notes';
/** As a multiple of the size of the body. */
const MAX_MEMORY = 3;

/** Bytes of memory for rows that are inserted while they arrive, whatever the length of the body. */
const MAX_STREAMED_MEMORY = 48_000_000;

let service: Service;
afterEach(() => service?.stop());

const KINDS = [
  {
    id: 'W7 a JSON array',
    type: 'application/json',
    start: '[',
    row: (id: number) =>
      `${id === 1 ? '' : ','}{"id":${id},"code":"C-${id}","label":"say \\"${id}\\"","note":"${NOTE}"}`,
    end: ']',
  },
  {
    id: 'W21 W22 a CSV body',
    type: 'text/csv',
    start: 'id,code,label,note\n',
    row: (id: number) => `${id},C-${id},"say ""${id}""","${NOTE}"\n`,
    end: '',
  },
];

const ARRIVING = [
  {
    id: 'a body of lines',
    type: 'application/x-ndjson',
    start: '',
    row: (id: number) => `{"id":${id},"code":"C-${id}","label":"say \\"${id}\\"","note":"${NOTE}"}\n`,
  },
  {
    id: 'a CSV body',
    type: 'text/csv',
    start: 'id,code,label,note\n',
    row: (id: number) => `${id},C-${id},"say ""${id}""","${NOTE}"\n`,
  },
];

for (const { id, type, start, row, end } of KINDS) {
  test(`${id} of 50 MB takes at most three times its size`, async () => {
    service = await serveWriting({ extensions: 'none' }, FIXTURE);
    const { body, count } = makeBody({ start, row, end });
    const peak = await measurePeak(() => post(body, type));
    expect(peak / body.length).toBeLessThan(MAX_MEMORY);
    await expectRows(count);
  });
}

for (const { id, type, start, row } of ARRIVING) {
  test(`B43 ${id} of 50 MB needs little memory`, async () => {
    service = await serveWriting({}, FIXTURE);
    const { body, count } = makeBody({ start, row, end: '' });
    const peak = await measurePeak(() => post(body, type));
    expect(peak).toBeLessThan(MAX_STREAMED_MEMORY);
    await expectRows(count);
  });

  test(`B44 ${id} of 50 MB with a bad line at the end keeps nothing`, async () => {
    service = await serveWriting({}, FIXTURE);
    const { body, lines } = makeBody({ start, row, end: '"\n' });
    const answer = await send(body, type);
    expect(answer.status).toBe(400);
    const message: unknown = expect.stringMatching(`^Line ${lines + 1}: `);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'SVC102', message });
    expect(await service.query('select count(*)::int as rows from api.bulk')).toEqual([{ rows: 0 }]);
  });
}

interface GeneratedBody {
  readonly body: Buffer;
  readonly count: number;
  readonly lines: number;
}

function makeBody({ start, row, end }: Pick<(typeof KINDS)[number], 'start' | 'row' | 'end'>): GeneratedBody {
  const texts = [start];
  let count = 0;
  for (let size = 0; size < SIZE; size += texts.at(-1)?.length ?? 0) texts.push(row(++count));
  return { body: Buffer.from(texts.join('') + end), count, lines: start === '' ? count : count + 1 };
}

async function expectRows(count: number): Promise<void> {
  const [stored] = await service.query(`
    select count(*)::int as rows, sum(id) as ids, count(distinct code)::int as codes,
      count(*) filter (where label = 'say "' || id || '"' and note = '${NOTE}')::int as texts from api.bulk`);
  expect(stored).toEqual({ rows: count, ids: String((count * (count + 1)) / 2), codes: count, texts: count });
}

function send(body: Buffer, type: string): ReturnType<typeof ask> {
  return ask(service.server.port, { method: 'POST', url: '/bulk', headers: { 'Content-Type': type }, body });
}

async function post(body: Buffer, type: string): Promise<void> {
  const answer = await send(body, type);
  expect([answer.status, answer.body]).toEqual([201, '']);
}

/** Returns the peak memory of the server above its idle memory, in bytes; 0 if the system does not report it. */
async function measurePeak(work: () => Promise<void>): Promise<number> {
  const folder = `/proc/${service.server.pid}`;
  const isSupported = existsSync(`${folder}/clear_refs`);
  for (let count = 0; count < 50; count += 1)
    await ask(service.server.port, { method: 'GET', url: '/bulk', headers: {} });
  // Resets the peak to the current size.
  if (isSupported) writeFileSync(`${folder}/clear_refs`, '5');
  const idle = isSupported ? readMemory(folder, 'VmRSS') : 0;
  await work();
  return isSupported ? readMemory(folder, 'VmHWM') - idle : 0;
}

function readMemory(folder: string, name: string): number {
  const [, kibibytes = ''] = new RegExp(`${name}:\\s+(\\d+)`, 'u').exec(readFileSync(`${folder}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

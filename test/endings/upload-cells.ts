// Builds the table of uploads: endings × formats × transports. Of two pipelined requests, the second one has the body.
import { expect } from 'vitest';
import { takePart } from './cells.ts';
import type { Conversation, Question } from './conversation.ts';
import { converse, type Stage, type Transport, permitsOf } from './hosts.ts';
import type { Scene } from './scene.ts';
import { UPLOAD_FORMATS, UPLOAD_WAYS, type UploadFormat, type UploadWay } from './uploads.ts';

export interface UploadCell {
  readonly name: string;
  readonly transport: Transport;
  readonly format: UploadFormat;
  readonly way: UploadWay;
}

const BEFORE: Question = { method: 'GET', target: '/berth?id=eq.1', headers: {} };
/** Bytes that are announced and never sent. */
const MISSING = 1_000_000;

/** @param isWhole as for `cellsOf` */
export function uploadCellsOf(stage: Stage, isWhole: boolean): readonly UploadCell[] {
  return UPLOAD_WAYS.flatMap((way, index) => {
    if (way.needsPermit === true && permitsOf(stage) === 0) return [];
    const transports = stage.transports.filter(({ version }) => way.isOfSockets !== true || version !== 'fetch');
    const cells = UPLOAD_FORMATS.flatMap((format) =>
      transports.map((transport) => {
        const name = `${format.name} that arrive over ${transport.name}: ${way.name}`;
        return { name, way, format, transport };
      }),
    );
    return isWhole ? cells : takePart(cells, stage, index);
  });
}

export async function runUploadCell(scene: Scene, cell: UploadCell): Promise<void> {
  const { way, format, transport } = cell;
  await scene.harbor.sql('truncate api.inbox');
  const body = way.body(format);
  const client = converse({ host: scene.host, transport }, { method: 'POST', ...describe(cell, body) }, BEFORE);
  try {
    client.send(body);
    if (way.ends) client.endBody();
    await way.act?.(client, scene);
    if (way.expected !== undefined) await checkAnswer(cell, client, way.expected(scene.permits));
  } finally {
    client.leave('reset');
  }
  await scene.expectWhole();
  const expected = way.expected?.(scene.permits);
  const kept = expected !== undefined && 'rows' in expected ? expected.rows : 0;
  expect(await scene.harbor.query('select count(*)::int from api.inbox')).toEqual([[kept]]);
}

function describe({ way, format, transport }: UploadCell, body: string): Omit<Question, 'method'> {
  const headers = { 'Content-Type': format.type };
  const length = Buffer.byteLength(body) + (way.ends ? 0 : MISSING);
  const framing =
    transport.version === '1.0' ? { 'Content-Length': String(length) } : { 'Transfer-Encoding': 'chunked' };
  return { target: way.target, headers: transport.version === 'fetch' ? headers : { ...headers, ...framing } };
}

type Expected = ReturnType<Exclude<UploadWay['expected'], undefined>>;

/** CSV that is buffered whole is not counted. */
function rangesOf({ format }: UploadCell, rows: number): readonly string[] {
  return format.name === 'CSV' ? ['*/*', `*/${rows}`] : [`*/${rows}`];
}

async function checkAnswer(cell: UploadCell, client: Conversation, expected: Expected): Promise<void> {
  const answers = await client.finish();
  expect(answers.map(({ ending }) => ending)).toEqual(Array.from({ length: cell.transport.count }, () => 'whole'));
  const { status = 0, headers, body = Buffer.alloc(0) } = answers.at(-1) ?? {};
  const text = body.toString('utf8');
  if ('rows' in expected)
    expect([status, rangesOf(cell, expected.rows), text]).toEqual([
      201,
      expect.arrayContaining([headers?.get('content-range')]),
      '',
    ]);
  else {
    expect(status, text).toBeGreaterThanOrEqual(400);
    const { code } = JSON.parse(text) as { readonly code: string };
    expect(expected.codes, `${status} ${text}`).toContain(code);
  }
}

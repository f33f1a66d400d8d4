// Builds the test table: endings × formats × transports × stages. A cell is one request or two pipelined ones.
import { expect } from 'vitest';
import { bearer } from '../support/local-server.ts';
import type { Answer } from './answer-reader.ts';
import type { Conversation, Question } from './conversation.ts';
import { type Format, FORMATS, renderBody, type Slice } from './formats.ts';
import { converse, type Stage, STAGES, type Transport, permitsOf } from './hosts.ts';
import type { Scene } from './scene.ts';
import { type Outcome, type Way, WAYS } from './ways.ts';

export interface Cell {
  readonly name: string;
  readonly transport: Transport;
  readonly format: Format;
  readonly way: Way;
  readonly slice: Slice;
  readonly target: string;
}

/** @param isWhole true for the whole table; false for a sample that covers each way, format and transport */
export function cellsOf(stage: Stage, isWhole: boolean): readonly Cell[] {
  return WAYS.flatMap((way, index) => {
    if (!isWhole && way.isLong === true) return [];
    const cells = FORMATS.flatMap((format) =>
      stage.transports.flatMap((transport) => makeCell({ way, format, transport }, permitsOf(stage))),
    );
    return isWhole ? cells : takePart(cells, stage, index);
  });
}

/** In the sample, one of this many stages runs each way, with one of its cells. */
const STAGES_PER_WAY = 4;

/** @param cells the cells of one way on one stage */
export function takePart<T>(cells: readonly T[], stage: Stage, way: number): readonly T[] {
  const place = STAGES.indexOf(stage);
  if ((way + place) % STAGES_PER_WAY !== 0) return [];
  return cells.slice((5 * way + 3 * place) % Math.max(1, cells.length)).slice(0, 1);
}

function makeCell(parts: Pick<Cell, 'way' | 'format' | 'transport'>, permits: number): readonly Cell[] {
  const { way, format, transport } = parts;
  if (way.isOfSockets === true && transport.version === 'fetch') return [];
  if (way.isOfRows === true && !format.failsLate) return [];
  const slice = way.slice(format, permits);
  const target = way.header === undefined ? format.targetOf(slice) : format.withHeader?.(slice, way.header);
  if (target === undefined) return [];
  return [{ ...parts, slice, target, name: `${format.name} over ${transport.name} ${way.name}` }];
}

export async function runCell(scene: Scene, cell: Cell): Promise<void> {
  const { way, transport, target, format } = cell;
  const headers = {
    Accept: format.accept,
    ...(way.hasStatementTimeout === true ? bearer({ role: scene.harbor.user }) : {}),
  };
  const question: Question = { method: way.method ?? 'GET', target, headers };
  const client = converse({ host: scene.host, transport }, question);
  try {
    await way.act?.(client, scene);
    if (way.outcomes === undefined) return;
    const answers = await client.finish();
    checkAnswers(cell, { answers, client, allowed: way.outcomes(format, scene.permits) });
    if (transport.version === '1.1' && answers.at(-1)?.ending === 'whole')
      expect(await client.askAgain('/berth?id=eq.1')).not.toBe(false);
  } finally {
    client.leave('reset');
  }
}

interface Seen {
  readonly answers: readonly Answer[];
  readonly client: Conversation;
  readonly allowed: readonly Outcome[];
}

function checkAnswers(cell: Cell, { answers, client, allowed }: Seen): void {
  const outcomes = answers.map((answer) => outcomeOf(cell, answer));
  const { count, version } = cell.transport;
  // A reset may overtake the bytes sent before it.
  if (outcomes.length === 0 && version === '1.0' && client.wasReset) outcomes.push('cut');
  expect(
    outcomes.filter((outcome) => !allowed.includes(outcome)),
    describeAnswers(answers),
  ).toEqual([]);
  if (cell.way.isLastCut === true && allowed.includes('cut')) expect(outcomes.at(-1)).toBe('cut');
  // Nothing can follow an incomplete response.
  if (outcomes.at(-1) === 'cut') expect(outcomes.length).toBeGreaterThan(0);
  else expect(outcomes.length, 'answers').toBe(count);
}

function describeAnswers(answers: readonly Answer[]): string {
  return answers
    .map(({ status, body, ending }) => `${status} ${ending}, ${body.length} bytes ${body.toString('utf8', 0, 150)}`)
    .join('; ');
}

function outcomeOf({ format, slice, way }: Cell, { status, body, ending, headers }: Answer): Outcome {
  if (status >= 400) {
    expect(ending, 'an error').toBe('whole');
    const { code } = JSON.parse(body.toString('utf8')) as { readonly code: string };
    expect(way.codes ?? [], `${status} ${body.toString('utf8')}`).toContain(code);
    return 'error';
  }
  expect(status).toBe(200);
  const right =
    way.method === 'HEAD' ? Buffer.alloc(0) : renderBody(format, slice, ending === 'whole' ? Infinity : body.length);
  if (ending === 'whole') expect(describeDifference(body, right), JSON.stringify([...headers])).toBe('none');
  else expect(describeDifference(body, right.subarray(0, body.length))).toBe('none');
  return ending === 'whole' ? 'whole' : 'cut';
}

function describeDifference(found: Buffer, right: Buffer): string {
  if (found.equals(right)) return 'none';
  let place = 0;
  while (found[place] === right[place] && place < found.length) place += 1;
  const part = (bytes: Buffer): string => JSON.stringify(bytes.toString('utf8', place, place + 60));
  return `${found.length} bytes instead of ${right.length}; at ${place} ${part(found)} instead of ${part(right)}`;
}

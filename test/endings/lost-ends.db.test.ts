// The connection to the database is lost after all rows have arrived, but before the end of the statement or
// transaction is confirmed. The client must get a complete and correct response, or notice that it is incomplete.
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startMessageProxy } from '../support/message-proxy.ts';
import { useHarbor } from '../support/harbor.ts';
import { type Cell, runCell } from './cells.ts';
import { GOOD_ROWS, prepareDatabase } from './fixture.ts';
import { FORMATS, type Slice } from './formats.ts';
import { type Stage, STAGES, type Transport } from './hosts.ts';
import { Scene } from './scene.ts';
import type { Way } from './ways.ts';
import { isLong } from '../support/long-form.ts';
import { use } from '../support/use.ts';

const harbor = await useHarbor();

await prepareDatabase(harbor);
const { hostname: host, port } = new URL(harbor.uri);
const proxy = await use(startMessageProxy({ host, port: Number(port) }));

/** Message types of the PostgreSQL protocol. */
const ENDS = [
  ['its statement', 'C'],
  ['its transaction', 'Z'],
] as const;
/** Longer than the output of the other statements. */
const LONG = 100_000;

/** Cuts the connection with a long result at the message of this type, once. */
function cutAt(type: string): void {
  let size = 0;
  proxy.watch((message, cut) => {
    if (message.from === 'server' && message.type === 'D') size += message.content.length;
    if (message.from !== 'server' || message.type !== type || size < LONG) return;
    proxy.watch(undefined);
    cut();
  });
}

const SLICE: Slice = { kind: 'rows', first: 1, last: GOOD_ROWS };

function waysOf(stage: Stage): readonly (readonly [name: string, type: string, cell: Cell])[] {
  const [transport] = stage.transports as [Transport];
  const cells = ENDS.flatMap(([what, type]) =>
    FORMATS.map((format) => {
      const name = `${format.name} loses the end of ${what}`;
      const way: Way = {
        name,
        slice: () => SLICE,
        // A read may be retried if nothing of its response has been sent.
        outcomes: () => ['whole', 'error', 'cut'],
        codes: ['SVC000', 'SVC001'],
      };
      return [
        name,
        type,
        { name, way, format, transport, slice: SLICE, target: format.targetOf(SLICE) ?? '/' },
      ] as const;
    }),
  );
  return isLong ? cells : cells.filter((_, index) => index % 4 === 0);
}

describe.each(STAGES.slice(0, 2).map((stage) => [stage.name, stage] as const))('%s', (_, stage) => {
  let scene: Scene;

  beforeAll(async () => {
    const { port } = proxy;
    const uri = Object.assign(new URL(harbor.uri), { port: String(port) }).href;
    scene = await Scene.open(stage, { ...harbor, uri });
  });
  afterAll(() => scene?.close());

  test.each(waysOf(stage))('%s', async (_, type, cell) => {
    cutAt(type);
    await runCell(scene, cell);
    await scene.expectWhole();
  });
});

// However responses end, and however often, the memory of the server does not grow. Long form only.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHarbor, type Harbor } from '../support/harbor.ts';
import { type Cell, cellsOf, runCell } from './cells.ts';
import { prepareDatabase } from './fixture.ts';
import { STAGES } from './hosts.ts';
import { Scene } from './scene.ts';
import { isLong } from '../support/long-form.ts';

/** Warm-up rounds, after which memory is at its working set. */
const FIRST_ROUNDS = 5;
/** Enough rounds to detect leaks of a megabyte each. */
const ROUNDS = 60;
const MAX_GROWTH_MB = 50;

describe.runIf(isLong)('memory', () => {
  let harbor: Harbor;

  beforeAll(async () => {
    harbor = await createHarbor();
    await prepareDatabase(harbor);
  });
  afterAll(() => harbor?.drop());

  describe.each(STAGES.slice(0, 2).map((stage) => [stage.name, stage] as const))('%s', (_, stage) => {
    let scene: Scene;

    beforeAll(async () => {
      scene = await Scene.open(stage, harbor);
    });
    afterAll(() => scene?.close());

    test.each(oneOfEach(cellsOf(stage, true)).map((cell) => [cell.name, cell] as const))('%s', async (name, cell) => {
      const work = async (rounds: number): Promise<void> => {
        for (let round = 0; round < rounds; round += 1) await runCell(scene, cell);
      };
      // Rounds that wait for clients take seconds.
      const rounds = cell.way.act === undefined ? ROUNDS : ROUNDS / 5;
      await work(FIRST_ROUNDS);
      const before = await scene.host.memory();
      await work(rounds);
      const grown = (await scene.host.memory()) - before;
      console.log(`endings  ${name.padEnd(80)} ${Math.round(grown)} MB after ${rounds} rounds`);
      expect(grown).toBeLessThan(MAX_GROWTH_MB);
    });
  });
});

/** Returns one cell per way, in rotation. */
function oneOfEach(cells: readonly Cell[]): readonly Cell[] {
  const ways = [...new Set(cells.map(({ way }) => way))];
  return ways.flatMap((way, index) => {
    const own = cells.filter((cell) => cell.way === way);
    return own.slice(index % own.length).slice(0, 1);
  });
}

// Every way in which a response can end, in every format, over every transport: the client must be able to tell whether
// it is complete, and the server must return to its initial state. `npm run test:faults` runs the whole table, other
// runs a sample.
import { afterAll, beforeAll, describe, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { cellsOf, runCell } from './cells.ts';
import { prepareDatabase } from './fixture.ts';
import { STAGES, permitsOf } from './hosts.ts';
import { Scene } from './scene.ts';
import { runUploadCell, uploadCellsOf } from './upload-cells.ts';
import { isLong } from '../support/long-form.ts';

const harbor = await useHarbor();

await prepareDatabase(harbor);

describe.each(STAGES.map((stage) => [stage.name, stage] as const))('%s', (_, stage) => {
  let scene: Scene;
  let count = 0;

  beforeAll(async () => {
    scene = await Scene.open(stage, harbor);
  });
  afterAll(async () => {
    if (isLong) console.log(`endings  ${stage.name.padEnd(44)} ${count} cells`);
    await scene?.close();
  });

  const run = async (work: () => Promise<void>): Promise<void> => {
    count += 1;
    try {
      await work();
      await scene.expectWhole();
    } catch (error) {
      await scene.renew();
      throw error;
    }
  };

  for (const cell of cellsOf(stage, isLong)) test(cell.name, () => run(() => runCell(scene, cell)));
  for (const cell of uploadCellsOf(stage, isLong)) test(cell.name, () => run(() => runUploadCell(scene, cell)));

  test.skipIf(permitsOf(stage) === 0)('the server serves no more concurrent streams than at the start', () =>
    scene.expectNoMorePermits(),
  );
});

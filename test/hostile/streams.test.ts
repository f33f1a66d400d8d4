// Attacks on streams, waiting and repetition: after each, the pool is whole, all turns are back, and others are served.
import { afterAll, beforeAll, describe, test } from 'vitest';
import { prepareDatabase } from '../endings/fixture.ts';
import { Scene } from '../endings/scene.ts';
import { createHarbor, type Harbor } from '../server/support/harbor.ts';
import { STREAM_ATTACKS } from './stream-attacks.ts';
import { renderTargets } from './stream-targets.ts';

const isLong = process.env['ROWHOUSE_LONG'] !== undefined;

let harbor: Harbor;

beforeAll(async () => {
  harbor = await createHarbor();
  await prepareDatabase(harbor);
  await harbor.sql(renderTargets(harbor.anon));
});
afterAll(() => harbor?.drop());

const STAGES = [...new Set(STREAM_ATTACKS.map(({ stage }) => stage))];

describe.each(STAGES.map((stage) => [stage.name, stage] as const))('%s', (_, stage) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await Scene.open(stage, harbor);
  });
  afterAll(() => scene?.close());

  const attacks = STREAM_ATTACKS.filter((attack) => attack.stage === stage);
  test.each(attacks.map((attack) => [attack.name, attack] as const))('%s', async (_, { run }) => {
    try {
      await run(scene, isLong);
      await scene.expectWhole();
    } catch (error) {
      await scene.renew();
      throw error;
    }
  });
});

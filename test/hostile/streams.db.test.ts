// Attacks on streams, waiting and retries: after each, the pool is whole, all streaming slots are free, and others are
// served.
import { afterAll, beforeAll, describe, test } from 'vitest';
import { prepareDatabase } from '../endings/fixture.ts';
import { Scene } from '../endings/scene.ts';
import { createHarbor, type Harbor } from '../support/harbor.ts';
import { attackEncoding, ENCODINGS, renderLabels } from './encoding-attacks.ts';
import type { StreamAttack } from './stream-attack.ts';
import { STREAM_ATTACKS } from './stream-attacks.ts';
import { renderTargets } from './stream-targets.ts';
import { isLong } from '../support/long-form.ts';

/** Starts a separate server for each stage. */
function attack(harbor: () => Harbor, attacks: readonly StreamAttack[]): void {
  const stages = [...new Set(attacks.map(({ stage }) => stage))];

  describe.each(stages.map((stage) => [stage.name, stage] as const))('%s', (_, stage) => {
    let scene: Scene;

    beforeAll(async () => {
      scene = await Scene.open(stage, harbor());
    });
    afterAll(() => scene?.close());

    const own = attacks.filter((each) => each.stage === stage);
    test.each(own.map((each) => [each.name, each] as const))('%s', async (_, { run }) => {
      try {
        await run(scene, isLong);
        await scene.expectWhole();
      } catch (error) {
        await scene.renew();
        throw error;
      }
    });
  });
}

describe('in UTF-8', () => {
  let harbor: Harbor;

  beforeAll(async () => {
    harbor = await createHarbor();
    await prepareDatabase(harbor);
    await harbor.sql(renderTargets(harbor.anon));
  });
  afterAll(() => harbor?.drop());

  attack(() => harbor, STREAM_ATTACKS);
});

describe.each(ENCODINGS.map((encoding) => [encoding.name, encoding] as const))('in %s', (_, encoding) => {
  let harbor: Harbor;

  beforeAll(async () => {
    harbor = await createHarbor({ encoding: encoding.name });
    await prepareDatabase(harbor);
    await harbor.sql(renderLabels(encoding, harbor.anon));
  });
  afterAll(() => harbor?.drop());

  attack(() => harbor, attackEncoding(encoding));
});

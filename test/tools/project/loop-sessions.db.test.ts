// The session in the shadow, which PostgreSQL gives memory for each file that has run.
import { expect, test } from 'vitest';
import type { SourceFile } from '../../../tools/project/folder/read-project.ts';
import { LoopSessions } from '../../../tools/project/dev/loop-sessions.ts';
import { createDatabase, connect } from '../../support/database.ts';
import { use } from '../../support/use.ts';

const database = await use(createDatabase());
const sessions = await use(
  new LoopSessions({ devUri: database.uri, shadowUri: database.uri }, async (uri) => {
    const client = await connect(uri);
    return client;
  }),
);

/** All of them differ from those of another round. */
function filesOf(round: number): readonly SourceFile[] {
  return Array.from({ length: 1000 }, (_, index) => ({ path: `schema/${index}.sql`, text: `-- ${round}` }));
}

test('P18c the session in the shadow is renewed after thousands of files, between two updates', async () => {
  const before = await sessions.open();
  for (let round = 0; round < 5; round += 1) expect(await before.run.run(filesOf(round))).toEqual([]);
  await sessions.renewIfWorn();
  expect(await sessions.open()).toBe(before);
  expect(await before.run.run(filesOf(5))).toEqual([]);
  await sessions.renewIfWorn();
  const after = await sessions.open();
  expect(after).not.toBe(before);
  await expect(before.shadow.query('select 1')).rejects.toThrow('closed');
  expect((await after.shadow.query('select 1')).rows).toHaveLength(1);
});

import { expect, test } from 'vitest';
import { DocumentCache } from '../../src/openapi/describe-schema.ts';

const MEGABYTE = 1_000_000;

test('concurrent and later readers share one document', async () => {
  const documents = new DocumentCache();
  let builds = 0;
  const build = async (): Promise<Uint8Array> => {
    builds += 1;
    await Promise.resolve();
    return new Uint8Array(1);
  };
  const [first, second] = await Promise.all([documents.getOrBuild('a', build), documents.getOrBuild('a', build)]);
  expect(second).toBe(first);
  expect(await documents.getOrBuild('a', build)).toBe(first);
  expect(builds).toBe(1);
});

test('the oldest documents are evicted when the total is too large, the newest is kept', async () => {
  const documents = new DocumentCache();
  const built: string[] = [];
  const read = (key: string, megabytes: number): Promise<Uint8Array> =>
    documents.getOrBuild(key, () => {
      built.push(key);
      return Promise.resolve(new Uint8Array(megabytes * MEGABYTE));
    });
  for (const [key, megabytes] of Object.entries({ a: 60, b: 60, c: 60 })) await read(key, megabytes);
  for (const key of ['b', 'c', 'a']) await read(key, 60);
  expect(built).toStrictEqual(['a', 'b', 'c', 'a']);
  await read('huge', 200);
  await read('huge', 200);
  expect(built).toStrictEqual(['a', 'b', 'c', 'a', 'huge']);
});

test('a document that failed to build is built again', async () => {
  const documents = new DocumentCache();
  const failing = documents.getOrBuild('a', () => Promise.reject(new Error('broken')));
  await expect(failing).rejects.toThrow('broken');
  expect(await documents.getOrBuild('a', () => Promise.resolve(new Uint8Array(2)))).toHaveLength(2);
});

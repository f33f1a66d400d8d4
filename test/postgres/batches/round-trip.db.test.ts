// The writes and round trips of a script, counted by a proxy between the session and a real PostgreSQL.
import { expect, test } from 'vitest';
import { runAlone } from '../support/run-alone.ts';
import { adminUri } from '../../support/database.ts';
import { bodyOf, openSession, valueOf } from '../support/connect-test.ts';
import { startRecordingProxy } from '../support/recording-proxy.ts';
import { mainStatement, readScript, writeScript } from '../support/scripts.ts';
import { use } from '../../support/use.ts';

const uri = new URL(adminUri());
const proxy = await use(startRecordingProxy({ host: uri.hostname, port: Number(uri.port) }));
uri.port = String(proxy.port);
const session = await use(openSession(uri.href));

test('a read script takes one write and one round trip, unprepared and prepared', async () => {
  const script = readScript(mainStatement('$1::text', ['hello']), {
    preRequest: { text: 'select 1', parameters: [] },
    plannedCount: { text: 'explain (format json) select 1', parameters: [] },
  });
  for (let time = 0; time < 2; time += 1) {
    proxy.takeRecord();
    expect(bodyOf(await runAlone(session, script))).toBe('hello');
    expect(proxy.takeRecord()).toStrictEqual({ turns: '><', clientChunks: 1 });
  }
});

test('a body of several megabytes arrives in the same round trip', async () => {
  proxy.takeRecord();
  const body = bodyOf(await runAlone(session, readScript(mainStatement(`repeat('x', 5000000)`), { mayStream: false })));
  expect(body?.length).toBe(5_000_000);
  expect(proxy.takeRecord()).toStrictEqual({ turns: '><', clientChunks: 1 });
});

test.each([
  ['a write', writeScript(mainStatement('$1::text', ['hello'])), '><'],
  ['a serializable write', writeScript(mainStatement('1'), { isolation: 'serializable' }), '><'],
  ['a write that ends with a rollback', writeScript(mainStatement('1'), { end: 'rollback' }), '><'],
  ['a write that is verified', writeScript(mainStatement('1'), { verify: () => undefined }), '><><'],
])('%s takes exactly its round trips', async (_, script, turns) => {
  proxy.takeRecord();
  valueOf(await runAlone(session, script));
  expect(proxy.takeRecord()).toStrictEqual({ turns, clientChunks: turns.length / 2 });
});

test('a failing implicit transaction takes no second round trip', async () => {
  proxy.takeRecord();
  expect(await runAlone(session, writeScript(mainStatement('1/0')))).toMatchObject({
    ok: false,
    error: { report: { sqlstate: '22012' } },
  });
  expect(proxy.takeRecord()).toStrictEqual({ turns: '><', clientChunks: 1 });
});

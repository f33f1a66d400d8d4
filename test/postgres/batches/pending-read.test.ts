// A read that is sent on several sessions has one reply; the others are cancelled.
import { expect, test } from 'vitest';
import { PendingRead } from '../../../src/extensions/shared-reads/pending-read.ts';
import type { ScriptReply } from '../../../src/postgres/session/script-reply.ts';
import { BodyMemory } from '../../../src/postgres/stream/body-memory.ts';
import { StreamedBody } from '../../../src/postgres/stream/streamed-body.ts';
import { oneRow } from '../support/outcome.ts';
import { mainStatement, readScript } from '../support/scripts.ts';

function answerWith(seen: string[], name: string): ScriptReply {
  const note = (what: string) => () => void seen.push(`${name}: ${what}`);
  const source = { pause: note('pause'), resume: note('resume'), cancel: note('cancel') };
  const begin = { pieces: [], byteLength: undefined, expectedLength: undefined };
  return oneRow(new StreamedBody(source, begin, new BodyMemory().reserve()));
}

test('B26 the second of two streamed replies is cancelled, so that its connection becomes free', () => {
  const replies: unknown[] = [];
  const seen: string[] = [];
  const read = new PendingRead({
    script: readScript(mainStatement('1')),
    signal: undefined,
    settle: (reply) => replies.push(reply),
    onLeave: () => undefined,
  });
  const first = answerWith(seen, 'first');
  read.settle(first);
  read.settle(answerWith(seen, 'second'));
  read.settle({ ok: false, error: { kind: 'connectionLost', details: 'gone' } });
  expect(replies).toEqual([first]);
  expect(seen).toEqual(['first: pause', 'second: pause', 'second: resume', 'second: cancel']);
});

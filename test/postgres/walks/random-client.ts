// A client that reads a body at random: at once, in pieces with pauses, partially, or throwing in the middle.
import { setImmediate } from 'node:timers/promises';
import { type BodyStream, isStream } from '../../../src/contract/body-stream.ts';
import type { ScriptReply } from '../../../src/postgres/session/script-reply.ts';
import type { Random } from '../../support/generate/random.ts';

/** How a body ended: `ended` and `failed` depending on the sink method called, `left` if the client cancelled. */
export type Ending = 'none' | 'whole' | 'ended' | 'failed' | 'left' | 'error';

export async function takeAnswer(reply: ScriptReply, random: Random): Promise<Ending> {
  if (!reply.ok) return 'error';
  const [result] = reply.value;
  if (result.kind !== 'outcome') return 'none';
  const { body } = result.outcome;
  if (!isStream(body)) return body === undefined ? 'none' : 'whole';
  if (random.chance(0.1)) {
    body.cancel();
    return 'left';
  }
  if (random.chance(0.3)) await setImmediate();
  return new Promise((resolve) => read(body, random, resolve));
}

function read(body: BodyStream, random: Random, settle: (ending: Ending) => void): void {
  let calls = 0;
  const isOver = (): boolean => calls > 0;
  const end = (ending: Ending) => (): void => {
    calls += 1;
    if (calls > 1) throw new Error('the sink was ended twice');
    settle(ending);
  };
  const behavior = random.pick(['fast', 'slow', 'leaves', 'throws'] as const);
  body.read({
    take: (piece) => {
      if (isOver()) throw new Error('a piece came behind the end');
      if (random.chance(0.5)) body.release(piece);
      if (behavior === 'throws' && random.chance(0.3)) throw new Error('the consumer throws');
      if (behavior === 'leaves' && random.chance(0.3)) {
        void setImmediate().then(() => body.cancel());
        return false;
      }
      if (behavior === 'fast' || random.chance(0.5)) return true;
      void setImmediate().then(() => body.resume());
      return false;
    },
    end: end('ended'),
    fail: end('failed'),
  });
}

// The connection that listens for event streams, without a database.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ok } from '../../../src/contract/result.ts';
import { ChannelHub } from '../../../src/extensions/live/streams/channel-hub.ts';
import { EventBody } from '../../../src/extensions/live/streams/event-body.ts';

const ignore = (): void => undefined;

function createBody(): EventBody {
  return new EventBody({ maxBacklog: 0, memory: { hold: ignore, release: ignore }, onBacklog: ignore, onOver: ignore });
}

test('B45g streams that open at the same moment share a connection, which listens once to each channel', async () => {
  const sent: string[] = [];
  const hub = new ChannelHub({
    open: async () => {
      sent.push('open');
      await setImmediate();
      return ok({
        listen: async (channel) => ok(void sent.push(channel)),
        unlisten: () => Promise.resolve(ok(undefined)),
        close: () => Promise.resolve(),
      });
    },
    gapName: 'svc.gap',
    observe: ignore,
  });
  await Promise.all([hub.add(createBody(), ['one']), hub.add(createBody(), ['one', 'two'])]);
  expect(sent).toEqual(['open', 'one', 'two']);
  await hub.close();
});

// Which settings the catalog is read with.
import { expect, test } from 'vitest';
import { READY_FOR_QUERY } from '../../../src/postgres/wire/message-type.ts';
import type { Exchange } from '../../../src/postgres/session/exchange.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { loadSchemaCache } from '../../../src/service/schema-cache/load-schema-cache.ts';
import { resolved } from '../../support/resolve-text.ts';

/** A session that answers the first statements with no rows, and the third one with an error. */
function createSession(statements: string[]): Session {
  const session = {
    isReplicating: false,
    endExchange: () => undefined,
    taint: () => undefined,
    send: (batch: readonly Uint8Array[], exchange: Exchange) => {
      statements.push(Buffer.concat(batch).toString('latin1'));
      if (statements.length === 3) exchange.lose('enough');
      else exchange.receive({ type: READY_FOR_QUERY } as never);
    },
  };
  return session as unknown as Session;
}

test('The catalog is read without compiling its statements', async () => {
  const statements: string[] = [];
  const provider = { use: <T>(work: (session: Session) => Promise<T>) => work(createSession(statements)) };
  expect(await loadSchemaCache(provider as never, resolved({}))).toMatchObject({ ok: false });
  expect(statements[1]).toContain(`set_config('search_path', '', true), set_config('jit', 'off', true)`);
});

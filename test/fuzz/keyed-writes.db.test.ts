// Random writes, calls and batches with an idempotency key, each sent twice: the repetition changes nothing.
import { expect, test } from 'vitest';
import { buildSchemaCache } from '../../src/catalog/decode.ts';
import { renderIdempotencySetup } from '../../src/extensions/idempotency/idempotency-setup.ts';
import { serveWriting } from '../conformance/serve.ts';
import { Random } from '../support/generate/random.ts';
import { WriteMaker } from '../support/generate/random-write.ts';
import { ask, type Question } from '../support/http-client.ts';
import { loadRows } from '../support/load-cache.ts';
import { readTables } from './read-tables.ts';
import { use } from '../support/use.ts';

const count = Number(process.env['ROWHOUSE_FUZZ_COUNT'] ?? 100);
const seed = Number(process.env['ROWHOUSE_FUZZ_SEED'] ?? 1);

const service = await use(
  serveWriting(
    { 'db-idempotency-schema': 'idempotency', 'idempotency-anonymous': true, 'db-aggregates-enabled': true },
    renderIdempotencySetup('idempotency').join('\n'),
  ),
);

test(`B67 ${count} random keyed writes from seed ${seed} take effect once`, async () => {
  const maker = new WriteMaker(
    buildSchemaCache(await loadRows(service.uri, { schemas: ['api'], extraSearchPath: ['public'] })),
  );
  const { port } = service.server;
  let replayed = 0;
  for (let number = 0; number < count; number += 1) {
    const made = maker.make(new Random(seed + number));
    const sent: Question = { ...made, headers: { ...made.headers, 'Idempotency-Key': `k${number}` } };
    const first = await ask(port, sent);
    const written = await readTables(service);
    const again = await ask(port, sent);
    const what = `${seed + number}: ${sent.method} ${sent.url} ${JSON.stringify(sent.headers)}`;
    if (again.headers['idempotency-replayed'] === undefined) {
      // Errors store nothing, and reads have no keys.
      const isRead = sent.method === 'GET' || sent.method === 'HEAD';
      expect(first.status >= 300 || isRead || sent.url === '/', `${what} → ${first.status}`).toBe(true);
      continue;
    }
    replayed += 1;
    expect({ what, status: again.status, body: again.body }).toEqual({ what, status: first.status, body: first.body });
    expect({ what, tables: await readTables(service) }).toEqual({ what, tables: written });
  }
  expect(replayed).toBeGreaterThan(count / 10);
});

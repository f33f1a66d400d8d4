// Departures between the dialects (`writing.md` §0.2, `reading.md` §20), over real sockets: sends the same request to a
// server of each. `departures.http` contains the response of `svc` and then that of `postgrest`, or one response if
// they are equal.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DialectName } from '../../src/contract/dialect.ts';
import { describeResponse, expectationOf } from './answer.ts';
import { parseExchanges } from './exchange.ts';
import { serveWriting, type Service } from './serve.ts';

const BLOCKS = readFileSync(fileURLToPath(new URL('departures.http', import.meta.url)), 'utf8')
  .split(/^### /mu)
  .slice(1)
  .map((block) => block.trimEnd().split(/\n\n(?=HTTP\/1\.1 )/u));

describe.each<[DialectName, number]>([
  ['svc', 1],
  ['postgrest', 2],
])('%s', (dialect, place) => {
  let service: Service;
  beforeAll(async () => {
    service = await serveWriting({
      dialect,
      'db-schemas': 'api, labs',
      'db-tx-end': 'rollback',
      'db-plan-enabled': true,
      'db-aggregates-enabled': true,
      extensions: 'none',
    });
  });
  afterAll(() => service?.stop());
  const exchanges = BLOCKS.map((parts) => `### ${parts[0]}\n\n${parts[place] ?? parts[1]}\n`);
  for (const { title, answer, ...step } of parseExchanges(exchanges.join('\n'))) {
    test(title, async () => {
      const response = await service.send(step);
      expect(describeResponse(response)).toEqual(expectationOf(answer, response));
    });
  }
});

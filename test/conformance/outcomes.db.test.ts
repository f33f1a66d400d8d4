// Tests every outcome of `writing.md` §20 over a real socket: exact status, exact set of headers, exact body.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeResponse, expectationOf } from './answer.ts';
import { parseExchanges, type Exchange } from './exchange.ts';
import { serveWriting, type Service } from './serve.ts';

const FOLDER = fileURLToPath(new URL('outcomes/', import.meta.url));
const SEVERAL_SCHEMAS = 'several-schemas.http';

describe.each(['api', 'api, labs'])('schemas %s', (schemas) => {
  const isSingle = schemas === 'api';
  const files = readdirSync(FOLDER).filter((file) => isSingle === (file !== SEVERAL_SCHEMAS));
  let service: Service;
  beforeAll(async () => {
    // Writes are answered and then rolled back, so that each exchange finds the same data.
    const options = { 'db-tx-end': 'rollback', 'db-plan-enabled': true, extensions: 'none' };
    service = await serveWriting({ 'db-schemas': schemas, ...options });
  });
  afterAll(() => service?.stop());
  for (const file of files) {
    for (const { title, answer, ...step } of readExchanges(file)) {
      test(title, async () => {
        const response = await service.send(step);
        expect(describeResponse(response)).toEqual(expectationOf(answer, response));
      });
    }
  }
});

function readExchanges(file: string): readonly Exchange[] {
  return parseExchanges(readFileSync(FOLDER + file, 'utf8'));
}

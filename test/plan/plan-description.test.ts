import { describe, expect, it } from 'vitest';
import type { AppConfig, OpenApiVersion } from '../../src/config/table/app-config.ts';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { enableExtensions } from '../../src/contract/extensions.ts';
import { OPENAPI3 } from '../../src/extensions/openapi3/index.ts';
import { SCHEMA_DOCUMENT } from '../../src/extensions/schema-document/index.ts';
import { parseAccept } from '../../src/media/accept.ts';
import { chooseDocument } from '../../src/plan/plan-request.ts';
import { compileSeams } from '../../src/serve/extension.ts';

const CONFIGURED = { document: '2.0', contentType: 'application/openapi+json; charset=utf-8' };
const NEWEST = { document: '3.1', contentType: 'application/vnd.oai.openapi+json;version=3.1; charset=utf-8' };

function choose(accept: string | undefined, openapiVersion: OpenApiVersion): ReturnType<typeof chooseDocument> {
  const config = { openapiVersion, extensions: enableExtensions(['openapi32']) } satisfies Partial<AppConfig>;
  const seams = compileSeams([OPENAPI3, SCHEMA_DOCUMENT], {
    config: config as unknown as AppConfig,
    dialect: SVC_DIALECT,
  });
  return chooseDocument(parseAccept(accept, SVC_DIALECT), { seams });
}

describe('chooseDocument', () => {
  it.each([
    ['application/openapi+json', CONFIGURED],
    ['application/json', CONFIGURED],
    ['text/html, */*;q=0.1', CONFIGURED],
    [undefined, CONFIGURED],
    ['application/vnd.oai.openapi+json;version=3.1', NEWEST],
    ['application/vnd.oai.openapi+json, application/json', NEWEST],
    [
      'application/vnd.svc.schema+json',
      { document: 'schema', contentType: 'application/vnd.svc.schema+json; charset=utf-8' },
    ],
    [
      'application/vnd.pgrst.schema+json, */*',
      { document: 'schema', contentType: 'application/vnd.pgrst.schema+json; charset=utf-8' },
    ],
    ['text/csv', undefined],
    ['application/vnd.svc.object+json', undefined],
  ])('O221 selects the document for %s', (accept, expected) => {
    expect(choose(accept, '2.0')).toEqual(expected);
  });

  it('O221 follows the configured version', () => {
    expect(choose('application/json', '3.1')?.document).toBe('3.1');
  });

  it.each([
    ['application/json', '3.2', 'application/openapi+json; charset=utf-8'],
    ['application/vnd.oai.openapi+json', '3.2', 'application/vnd.oai.openapi+json;version=3.2; charset=utf-8'],
    [
      'application/vnd.oai.openapi+json;version=3.2',
      '3.2',
      'application/vnd.oai.openapi+json;version=3.2; charset=utf-8',
    ],
    [
      'application/vnd.oai.openapi+json; version="3.1"',
      '3.1',
      'application/vnd.oai.openapi+json;version=3.1; charset=utf-8',
    ],
  ])('B85 selects the document for %s if 3.2 is configured', (accept, document, contentType) => {
    expect(choose(accept, '3.2')).toEqual({ document, contentType });
  });

  it('B85 sends 3.2 only if it is configured', () => {
    expect(choose('application/vnd.oai.openapi+json;version=3.2', '3.1')?.document).toBe('3.1');
  });
});

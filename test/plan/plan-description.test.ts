import { describe, expect, it } from 'vitest';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { parseAccept } from '../../src/media/accept.ts';
import { chooseDocument } from '../../src/plan/plan-description.ts';

const CONFIGURED = { document: '2.0', contentType: 'application/openapi+json; charset=utf-8' };
const NEWEST = { document: '3.1', contentType: 'application/vnd.oai.openapi+json;version=3.1; charset=utf-8' };

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
    expect(chooseDocument(parseAccept(accept, SVC_DIALECT), '2.0')).toEqual(expected);
  });

  it('O221 follows the configured version', () => {
    expect(chooseDocument(parseAccept('application/json', SVC_DIALECT), '3.1')?.document).toBe('3.1');
  });
});

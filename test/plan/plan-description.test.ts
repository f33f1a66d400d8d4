import { describe, expect, it } from 'vitest';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { parseAccept } from '../../src/media/accept.ts';
import { chooseDocument } from '../../src/plan/plan-request.ts';

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
    expect(chooseDocument(parseAccept(accept, SVC_DIALECT), '3.2')).toEqual({ document, contentType });
  });

  it('B85 sends 3.2 only if it is configured', () => {
    const asked = parseAccept('application/vnd.oai.openapi+json;version=3.2', SVC_DIALECT);
    expect(chooseDocument(asked, '3.1')?.document).toBe('3.1');
  });
});

import { describe, expect, it } from 'vitest';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { parseAccept } from '../../src/media/accept.ts';
import { chooseDocument } from '../../src/plan/plan-description.ts';

const CONFIGURED = { version: '2.0', contentType: 'application/openapi+json; charset=utf-8' };
const NEWEST = { version: '3.1', contentType: 'application/vnd.oai.openapi+json;version=3.1; charset=utf-8' };

describe('chooseDocument', () => {
  it.each([
    ['application/openapi+json', CONFIGURED],
    ['application/json', CONFIGURED],
    ['text/html, */*;q=0.1', CONFIGURED],
    [undefined, CONFIGURED],
    ['application/vnd.oai.openapi+json;version=3.1', NEWEST],
    ['application/vnd.oai.openapi+json, application/json', NEWEST],
    ['text/csv', undefined],
    ['application/vnd.svc.object+json', undefined],
  ])('O221 for %s', (accept, expected) => {
    expect(chooseDocument(parseAccept(accept, SVC_DIALECT), '2.0')).toEqual(expected);
  });

  it('O221 follows the configured version', () => {
    expect(chooseDocument(parseAccept('application/json', SVC_DIALECT), '3.1')?.version).toBe('3.1');
  });
});

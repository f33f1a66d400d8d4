import { describe, expect, it } from 'vitest';
import { enableExtensions } from '../../../src/contract/extensions.ts';
import type { MediaHandler } from '../../../src/catalog/schema-cache.ts';
import { SVC_DIALECT } from '../../../src/contract/dialect.ts';
import { parseAccept } from '../../../src/media/accept.ts';
import { negotiate, type NegotiationContext } from '../../../src/plan/negotiation/negotiate.ts';

function handler(
  element: string | undefined,
  mediaType: string,
  kind: MediaHandler['kind'] = 'aggregate',
): MediaHandler {
  return {
    element: element === undefined ? undefined : { schema: 'api', name: element },
    mediaType,
    kind,
    routine: { schema: 'api', name: `${element ?? 'any'} ${mediaType}` },
    isBinary: false,
  };
}

const HANDLERS: readonly MediaHandler[] = [
  handler('parts', 'text/x-codes'),
  handler('cards', 'text/csv'),
  handler('cards', 'application/json'),
  handler('cards', 'application/vnd.svc.object+json'),
  handler('crates', '*/*'),
  handler('crates', 'text/x-codes'),
  handler(undefined, 'application/x-lines'),
  handler('logo', 'image/png', 'function'),
  handler('plain', 'text/plain', 'function'),
  handler('page', 'text/xml', 'function'),
  handler('raw', 'application/octet-stream', 'function'),
  handler('root', 'application/openapi+json', 'function'),
];

/** Describes the result as text: format and Content-Type, or the accepted types of the error. */
function answer(accept: string | undefined, context: Partial<NegotiationContext> = {}): string {
  const result = negotiate(
    parseAccept(accept, SVC_DIALECT),
    {
      element: { schema: 'api', name: 'tags' },
      elementKind: 'relation',
      isDefaultSelect: true,
      handlers: HANDLERS,
      planEnabled: false,
      extensions: enableExtensions([]),
      isSet: true,
      ...context,
    },
    SVC_DIALECT,
  );
  if (!result.ok)
    return result.error.kind === 'mediaTypeUnavailable' ? result.error.accepted.join(' | ') : 'other error';
  const { format, contentType } = result.value;
  const stripped = 'stripped' in format && format.stripped ? ' stripped' : '';
  const custom = format.kind === 'custom' ? ` by ${format.handler.routine.name}` : '';
  return `${format.kind}${stripped}${custom} as ${contentType}`;
}

function relation(name: string): Partial<NegotiationContext> {
  return { element: { schema: 'api', name } };
}

function called(name: string): Partial<NegotiationContext> {
  return { element: { schema: 'api', name }, elementKind: 'routine' };
}

const JSON_ANSWER = 'json as application/json; charset=utf-8';
const CSV_ANSWER = 'csv as text/csv; charset=utf-8';

describe('built-in formats', () => {
  it.each([
    ['W220', undefined, JSON_ANSWER],
    ['W220', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', JSON_ANSWER],
    ['W221', 'application/json;q=0.1, text/csv', CSV_ANSWER],
    ['W221', 'text/csv;q=0', CSV_ANSWER],
    ['W222', '*/*, text/csv', CSV_ANSWER],
    ['W222', '*/*;q=0.9, text/csv;q=0.5', JSON_ANSWER],
    ['W225', 'text/plain, application/json', JSON_ANSWER],
    ['W225', 'image/png, text/csv, application/json', CSV_ANSWER],
    ['W227', 'ApplicatioN/Vnd.Svc.Object', 'object as application/vnd.svc.object+json; charset=utf-8'],
    [
      'W228',
      'application/vnd.svc.object;nulls=stripped',
      'object stripped as application/vnd.svc.object+json;nulls=stripped; charset=utf-8',
    ],
    [
      'W228',
      'application/vnd.svc.array;nulls=stripped',
      'json stripped as application/vnd.svc.array+json;nulls=stripped; charset=utf-8',
    ],
    ['W229', 'application/vnd.svc.array+json', JSON_ANSWER],
    [
      'W227 of another vendor',
      'application/vnd.pgrst.object+json;nulls=stripped',
      'object stripped as application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8',
    ],
    ['W232', 'application/geo+json', 'geojson as application/geo+json; charset=utf-8'],
  ])('%s responds to %s', (_, accept, expected) => {
    expect(answer(accept)).toBe(expected);
  });

  it.each([
    ['W223', 'image/*', 'image/*'],
    ['W224', 'text/html;q=0.3,image/png, undefined', 'image/png | undefined | text/html'],
    ['W226', 'Text/Plain; x=1', 'text/plain'],
    ['W226', 'text/xml', 'text/xml'],
    ['W226', 'application/octet-stream', 'application/octet-stream'],
    ['W224', 'application/openapi+json', 'application/openapi+json'],
  ])('%s rejects %s', (_, accept, expected) => {
    expect(answer(accept)).toBe(expected);
    expect(answer(accept, { element: undefined, handlers: [] })).toBe(expected);
  });
});

describe('database handlers', () => {
  const codes = 'custom by parts text/x-codes as text/x-codes';

  it('W234 uses the relation handler, regardless of case and parameters of the accepted type', () => {
    expect(answer('text/x-codes', relation('parts'))).toBe(codes);
    expect(answer('Text/X-Codes; charset=utf-8', relation('parts'))).toBe(codes);
    expect(answer('text/x-codes')).toBe('text/x-codes');
    expect(answer('text/x-codes', { element: { schema: 'labs', name: 'parts' } })).toBe('text/x-codes');
  });

  it('W235 skips the relation handler if select is given', () => {
    const selected = { ...relation('parts'), isDefaultSelect: false };
    expect(answer('text/x-codes', selected)).toBe('text/x-codes');
    expect(answer('text/x-codes, text/csv;q=0.5', selected)).toBe(CSV_ANSWER);
  });

  it('W236 uses a handler for any element, even if select is given', () => {
    const lines = 'custom by any application/x-lines as application/x-lines';
    expect(answer('application/x-lines', relation('parts'))).toBe(lines);
    expect(answer('application/x-lines', { isDefaultSelect: false })).toBe(lines);
    expect(answer('application/x-lines', { element: undefined })).toBe(lines);
  });

  it('W237 lets a relation replace JSON and CSV only for itself', () => {
    expect(answer('text/csv', relation('cards'))).toBe('custom by cards text/csv as text/csv; charset=utf-8');
    expect(answer('application/json', relation('cards'))).toBe(
      'custom by cards application/json as application/json; charset=utf-8',
    );
    expect(answer(undefined, relation('cards'))).toBe(JSON_ANSWER);
    expect(answer('text/csv', { ...relation('cards'), isDefaultSelect: false })).toBe(CSV_ANSWER);
    expect(answer('text/csv')).toBe(CSV_ANSWER);
  });

  it('lets a handler for any element replace JSON everywhere', () => {
    const handlers = [handler(undefined, 'application/json'), handler('cards', 'application/json')];
    const replaced = 'custom by any application/json as application/json; charset=utf-8';
    expect(answer('application/json', { handlers })).toBe(replaced);
    expect(answer('application/json', { handlers, isDefaultSelect: false })).toBe(replaced);
    expect(answer('application/json', { ...relation('cards'), handlers })).toBe(
      'custom by cards application/json as application/json; charset=utf-8',
    );
    expect(answer('*/*', { handlers })).toBe(JSON_ANSWER);
  });

  it('W238 never replaces the vendor types', () => {
    expect(answer('application/vnd.svc.object+json', relation('cards'))).toBe(
      'object as application/vnd.svc.object+json; charset=utf-8',
    );
    expect(answer('application/vnd.svc.object+json', relation('crates'))).toBe(
      'object as application/vnd.svc.object+json; charset=utf-8',
    );
  });

  it('W239 uses the type that a function returns', () => {
    expect(answer('image/png', called('logo'))).toBe('custom by logo image/png as image/png');
    expect(answer('application/octet-stream', called('raw'))).toBe(
      'custom by raw application/octet-stream as application/octet-stream',
    );
    expect(answer('application/openapi+json', called('root'))).toBe(
      'custom by root application/openapi+json as application/openapi+json; charset=utf-8',
    );
  });

  it('distinguishes a relation from a function of the same name', () => {
    expect(answer('image/png', relation('logo'))).toBe('image/png');
    expect(answer('text/x-codes', called('parts'))).toBe('text/x-codes');
  });

  it('W240 responds to */* of such a function with JSON', () => {
    expect(answer('*/*', called('logo'))).toBe(JSON_ANSWER);
    expect(answer(undefined, called('plain'))).toBe(JSON_ANSWER);
  });

  it('W241 accepts any type if the element has a handler for any type, before its other handlers', () => {
    const anything = 'custom by crates */* as application/octet-stream';
    for (const accept of ['image/gif', 'application/json', undefined, 'text/x-codes', 'undefined', 'image/*']) {
      expect(answer(accept, relation('crates'))).toBe(anything);
    }
    expect(answer('application/json', { ...relation('crates'), isDefaultSelect: false })).toBe(JSON_ANSWER);
  });

  it('W241 matches only a literal */* to a handler for any type and any element', () => {
    const handlers = [handler(undefined, '*/*')];
    expect(answer(undefined, { handlers })).toBe('custom by any */* as application/octet-stream');
    expect(answer('image/gif', { handlers })).toBe('image/gif');
    expect(answer('application/json', { handlers })).toBe(JSON_ANSWER);
  });

  it('W242 adds a charset to text and XML', () => {
    expect(answer('text/plain', called('plain'))).toBe('custom by plain text/plain as text/plain; charset=utf-8');
    expect(answer('text/xml', called('page'))).toBe('custom by page text/xml as text/xml; charset=utf-8');
  });
});

describe('execution plans', () => {
  it('W244 are rejected if disabled, or the next type is used', () => {
    expect(answer('application/vnd.svc.plan')).toBe('application/vnd.svc.plan+text; for="application/json"');
    expect(answer('application/vnd.svc.plan+json', relation('crates'))).toBe(
      'application/vnd.svc.plan+json; for="application/json"',
    );
    expect(answer('application/vnd.svc.plan, application/json')).toBe(JSON_ANSWER);
  });

  it('W245 W246 explain the query of the inner format', () => {
    const accepted = parseAccept('application/vnd.svc.plan+json; for="text/csv"; options=buffers|analyze', SVC_DIALECT);
    const context: NegotiationContext = {
      element: undefined,
      elementKind: 'relation',
      isDefaultSelect: true,
      handlers: [],
      planEnabled: true,
      extensions: enableExtensions([]),
      isSet: true,
    };
    expect(negotiate(accepted, context, SVC_DIALECT)).toEqual({
      ok: true,
      value: {
        format: { kind: 'csv' },
        contentType: 'application/vnd.svc.plan+json; for="text/csv"; options=analyze|buffers; charset=utf-8',
        plan: { format: 'json', options: ['analyze', 'buffers'] },
      },
    });
  });

  it('W246 explain a handler', () => {
    expect(answer('application/vnd.svc.plan; for="text/x-codes"', { ...relation('parts'), planEnabled: true })).toBe(
      'custom by parts text/x-codes as application/vnd.svc.plan+text; for="text/x-codes"; charset=utf-8',
    );
  });

  it('W246 are rejected for a type without a handler, and for a plan', () => {
    const planEnabled = true;
    expect(answer('application/vnd.svc.plan+json; for="image/png"', { planEnabled })).toBe(
      'application/vnd.svc.plan+json; for="image/png"',
    );
    expect(answer('application/vnd.svc.plan; for="application/vnd.svc.plan"', { planEnabled })).toBe(
      'application/vnd.svc.plan+text; for="application/vnd.svc.plan+text; for="application/json""',
    );
  });
});

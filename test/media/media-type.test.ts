import { describe, expect, it } from 'vitest';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { contentTypeOf, parseMediaType, printMediaType } from '../../src/media/media-type.ts';

function parse(text: string): unknown {
  return parseMediaType(text, SVC_DIALECT);
}

function canonical(text: string): string {
  return printMediaType(parseMediaType(text, SVC_DIALECT));
}

function responseType(text: string): string {
  return contentTypeOf(parseMediaType(text, SVC_DIALECT));
}

describe('parseMediaType', () => {
  it.each([
    ['application/json', 'application/json'],
    ['Application/JSON; charset=utf-8', 'application/json'],
    ['text/CSV;header=present', 'text/csv'],
    ['application/geo+json', 'application/geo+json'],
    ['application/openapi+json', 'application/openapi+json'],
    ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
    ['text/plain;;x', 'text/plain'],
    ['text/xml', 'text/xml'],
    ['application/octet-stream', 'application/octet-stream'],
    ['*/*;level=1', '*/*'],
  ])('recognizes %s in any case and with any parameters', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it('W227 reads the singular type with and without +json, in any case', () => {
    expect(parse('ApplicatioN/Vnd.Svc.Object')).toEqual({ kind: 'object', stripped: false, vendor: 'svc' });
    expect(parse('application/vnd.svc.object+json')).toEqual({ kind: 'object', stripped: false, vendor: 'svc' });
    expect(parse('application/vnd.svc.object;Nulls="stripped"')).toEqual({
      kind: 'object',
      stripped: true,
      vendor: 'svc',
    });
    expect(parse('application/vnd.svc.object+json;nulls=kept')).toEqual({
      kind: 'object',
      stripped: false,
      vendor: 'svc',
    });
  });

  it('W229 reads the array type without nulls=stripped as JSON', () => {
    expect(parse('application/vnd.svc.array')).toEqual({ kind: 'json' });
    expect(parse('application/vnd.svc.array+json;x=1')).toEqual({ kind: 'json' });
    expect(parse('application/vnd.svc.array+json;nulls=stripped')).toEqual({ kind: 'arrayStripped', vendor: 'svc' });
    expect(parse('application/vnd.svc.array; nulls=stripped')).toEqual({ kind: 'arrayStripped', vendor: 'svc' });
  });

  it('W245 defaults to the text plan', () => {
    const plan = { kind: 'plan', for: { kind: 'json' }, options: [], vendor: 'svc' };
    expect(parse('application/vnd.svc.plan')).toEqual({ ...plan, format: 'text' });
    expect(parse('application/vnd.svc.plan+text')).toEqual({ ...plan, format: 'text' });
    expect(parse('application/vnd.svc.plan+json')).toEqual({ ...plan, format: 'json' });
  });

  it('W246 keeps the known plan options in a fixed order', () => {
    expect(parse('application/vnd.svc.plan+json; for="text/csv"; options=wal|junk|analyze|wal')).toEqual({
      kind: 'plan',
      format: 'json',
      for: { kind: 'csv' },
      options: ['analyze', 'wal'],
      vendor: 'svc',
    });
  });

  it('reads a semicolon inside the quotes of for= as part of the inner type', () => {
    expect(
      parse('application/vnd.svc.plan;for="application/vnd.svc.object+json;nulls=stripped";options=verbose'),
    ).toEqual({
      kind: 'plan',
      format: 'text',
      for: { kind: 'object', stripped: true, vendor: 'svc' },
      options: ['verbose'],
      vendor: 'svc',
    });
  });

  it.each([
    ['Image/PNG;x=1', 'image/png'],
    ['image/*', 'image/*'],
    ['application/vnd.svc.plan+xml', 'application/vnd.svc.plan+xml'],
    ['application/vnd.other.object+json', 'application/vnd.other.object+json'],
    ['undefined', undefined],
    ['a/b/c', undefined],
    ['', undefined],
  ])('keeps the unknown type %j as received', (text, essence) => {
    expect(parse(text)).toEqual({ kind: 'other', text, essence });
    expect(canonical(text)).toBe(text);
  });

  it('takes the vendor from the dialect', () => {
    const dialect = { ...SVC_DIALECT, mediaVendor: 'acme' };
    expect(parseMediaType('application/vnd.acme.object', dialect)).toEqual({
      kind: 'object',
      stripped: false,
      vendor: 'acme',
    });
    expect(parseMediaType('application/vnd.svc.object', dialect).kind).toBe('other');
  });

  it('keeps the vendor name of an alias', () => {
    expect(parse('application/vnd.PGRST.object')).toEqual({ kind: 'object', stripped: false, vendor: 'pgrst' });
    expect(canonical('application/vnd.pgrst.object')).toBe('application/vnd.pgrst.object+json');
    expect(canonical('application/vnd.pgrst.array;nulls=stripped')).toBe(
      'application/vnd.pgrst.array+json;nulls=stripped',
    );
    expect(canonical('application/vnd.pgrst.plan+json; for="application/vnd.svc.object"; options=;')).toBe(
      'application/vnd.pgrst.plan+json; for="application/vnd.svc.object+json"',
    );
    expect(parse('application/vnd.pgrst.array')).toEqual({ kind: 'json' });
  });
});

describe('printMediaType', () => {
  it('W244 W246 prints plans with their inner type and options', () => {
    expect(canonical('application/vnd.svc.plan')).toBe('application/vnd.svc.plan+text; for="application/json"');
    expect(canonical('application/vnd.svc.plan+json;for="application/vnd.svc.object";options=buffers|analyze')).toBe(
      'application/vnd.svc.plan+json; for="application/vnd.svc.object+json"; options=analyze|buffers',
    );
  });
});

describe('contentTypeOf', () => {
  it.each([
    ['application/json', 'application/json; charset=utf-8'],
    ['application/vnd.svc.object', 'application/vnd.svc.object+json; charset=utf-8'],
    ['application/vnd.svc.object;nulls=stripped', 'application/vnd.svc.object+json;nulls=stripped; charset=utf-8'],
    ['application/vnd.svc.array;nulls=stripped', 'application/vnd.svc.array+json;nulls=stripped; charset=utf-8'],
    ['text/csv', 'text/csv; charset=utf-8'],
    ['application/geo+json', 'application/geo+json; charset=utf-8'],
    ['text/plain', 'text/plain; charset=utf-8'],
    ['text/xml', 'text/xml; charset=utf-8'],
    ['application/octet-stream', 'application/octet-stream'],
    ['*/*', 'application/octet-stream'],
    ['text/x-codes;x=1', 'text/x-codes'],
  ])('W227 W242 sends %s as %s', (text, expected) => {
    expect(responseType(text)).toBe(expected);
  });

  it('W246 shows for= and options= of a plan', () => {
    expect(
      responseType('application/vnd.svc.plan+text; for="text/csv"; options=wal|settings|verbose|buffers|analyze'),
    ).toBe(
      'application/vnd.svc.plan+text; for="text/csv"; options=analyze|verbose|settings|buffers|wal; charset=utf-8',
    );
  });
});

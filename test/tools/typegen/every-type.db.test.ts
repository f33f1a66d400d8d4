// The TypeScript types of every kind of column, as read and as written.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { generateTypesOf, typeAt } from './generate-types.ts';

const SQL = readFileSync(fileURLToPath(new URL('every-type.sql', import.meta.url)), 'utf8');

const text = await generateTypesOf(SQL);

describe('values have the types of their JSON form', () => {
  test.each([
    ['smallint', 'number'],
    ['integer', 'number'],
    ['bigint', 'number'],
    ['real', 'number'],
    ['double', 'number'],
    ['numeric', 'number'],
    ['money', 'string'],
    ['boolean', 'boolean'],
    ['text', 'string'],
    ['varchar', 'string'],
    ['char', 'string'],
    ['one_char', 'string'],
    ['name', 'string'],
    ['uuid', 'string'],
    ['bytea', 'string'],
    ['date', 'string'],
    ['time', 'string'],
    ['timetz', 'string'],
    ['timestamp', 'string'],
    ['timestamptz', 'string'],
    ['interval', 'string'],
    ['json', 'Json'],
    ['jsonb', 'Json'],
    ['xml', 'string'],
    ['inet', 'string'],
    ['bit', 'string'],
    ['point', 'string'],
    ['oid', 'string'],
    ['regclass', 'string'],
    ['tsvector', 'string'],
    ['vector', 'number[]'],
    ['range', 'string'],
    ['multirange', 'string'],
    ['numbers', 'number[]'],
    ['grid', 'string[]'],
    ['documents', 'Json[]'],
    ['mood', 'Database["api"]["Enums"]["mood"]'],
    ['moods', 'Database["api"]["Enums"]["mood"][]'],
    ['level', '"low" | "high"'],
    ['levels', 'Array<"low" | "high">'],
    ['nothing', 'Database["api"]["Enums"]["nothing"]'],
    ['size', 'Database["api"]["CompositeTypes"]["size"]'],
    ['sizes', 'Database["api"]["CompositeTypes"]["size"][]'],
    ['pair', '{ a: number | null; b: Array<"low" | "high"> | null; }'],
    ['code', 'string'],
    ['codes', 'string[]'],
    ['colour', 'Json'],
    ['dictionary', 'Json'],
  ])('%s', (column, type) => {
    expect(typeAt(text, 'api', 'Tables', 'small', 'Row', column)).toBe(`${type} | null`);
  });

  test('domains that forbid null are not nullable', () => {
    expect(typeAt(text, 'api', 'Tables', 'small', 'Row', 'strict_code')).toBe('string');
    expect(typeAt(text, 'api', 'Tables', 'small', 'Row', 'strict_mood')).toBe('Database["api"]["Enums"]["mood"]');
  });
});

test('enums and composite types are referenced by name', () => {
  expect(typeAt(text, 'api', 'Enums')).toBe(
    String.raw`{ mood: "calm" | "it's \"fine\"" | "back\\slash" | "new\nline"; nothing: never; }`,
  );
  expect(typeAt(text, 'api', 'CompositeTypes')).toBe(
    '{ size: { "free text": string | null; mood: Database["api"]["Enums"]["mood"] | null; width: number | null; }; }',
  );
});

test('rows are read as stored, and written as PostgreSQL accepts them', () => {
  expect(typeAt(text, 'api', 'Tables', 'kinds')).toBe(
    `{ Row: { always: number; by_default: number; default: string; nullable: string | null; required: string; strict: string; total: number; };
      Insert: { always?: never; by_default?: number; default?: string; nullable?: string | null; required: string; strict: string; total?: never; };
      Update: { always?: never; by_default?: number; default?: string; nullable?: string | null; required?: string; strict?: string; total?: never; };
      Relationships: []; }`.replaceAll(/\s+/g, ' '),
  );
});

test('names and comments cannot break the output', () => {
  expect(typeAt(text, 'api', 'Tables', String.raw`"odd \"names\" ${'`$`'}"`, 'Row')).toBe(
    String.raw`{ "$\{x}": number; "*/": number; "1st": number; __proto__: number; /** *\/ evil: string; /* */ "a b": number; "back\\slash": number; class: number; constructor: number; "déjà": number; "quote\"d": number; }`.replace(
      String.raw`$\{`,
      '${',
    ),
  );
  expect(text).toContain('      /**\n       * ends *\\/ here\n       * and `goes` ${on}\n       */\n      "odd');
});

test('tables without columns and schemas without views or functions are valid', () => {
  expect(typeAt(text, 'api', 'Tables', 'empty')).toBe(
    '{ Row: { [_ in never]: never }; Insert: { [_ in never]: never }; Update: { [_ in never]: never }; Relationships: []; }',
  );
  expect(typeAt(text, 'api', 'Views')).toBe('{ [_ in never]: never }');
});

// Reads members of the JSON that a privilege query returns.
import type { CatalogRow } from '../../catalog/catalog-rows.ts';

export function readRow(value: unknown): CatalogRow {
  if (!Array.isArray(value)) throw new Error('expected a function as an array');
  return value.map((item: unknown) => (typeof item === 'string' ? item : null));
}

export function readList(value: unknown, name: string): readonly unknown[] {
  const list = readMember(value, name);
  if (!Array.isArray(list)) throw new Error(`expected a list of privileges "${name}"`);
  return list;
}

export function readTuples(value: unknown, name: string): readonly (readonly unknown[])[] {
  return readList(value, name).map((row) => (Array.isArray(row) ? row : []));
}

export function readMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

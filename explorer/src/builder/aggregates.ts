// Lists the aggregate functions that PostgreSQL supports for a type, and the casts to suggest.
import type { DescribedType, TypeCategory } from '../../../src/contract/schema-document.ts';
import type { AggregateFunction } from '../../../src/request/query/query-params.ts';

const SUMMED: ReadonlySet<TypeCategory> = new Set<TypeCategory>(['number', 'interval', 'other']);
const COMPARED: ReadonlySet<TypeCategory> = new Set<TypeCategory>(['text', 'date', 'time', 'timestamp', 'enum']);

export function aggregatesFor({ category, isArray }: DescribedType): readonly AggregateFunction[] {
  if (!isArray && SUMMED.has(category)) return ['sum', 'avg', 'min', 'max', 'count'];
  return isArray || COMPARED.has(category) ? ['min', 'max', 'count'] : ['count'];
}

const CASTS: readonly string[] = ['text', 'integer', 'numeric', 'boolean', 'date', 'timestamptz', 'jsonb'];

export function castsFor({ name }: DescribedType): readonly string[] {
  return CASTS.filter((cast) => cast !== name);
}

// Parses and renders JSON paths into a column: `->a->>0`.
import type { Field, JsonStep } from '../../../src/request/query/query-params.ts';
import { parseUrl } from '../url-state/parse-url.ts';
import { renderField } from '../../../src/request/query/render-names.ts';
import type { RowSource } from './level.ts';

const COLUMN = 'c';

export function renderSteps(path: readonly JsonStep[]): string {
  return renderField({ column: COLUMN, path }).slice(COLUMN.length);
}

/** Returns undefined if the text is not a path. */
export function parsePath(text: string): readonly JsonStep[] | undefined {
  const url = parseUrl(`/t?select=${encodeURIComponent(COLUMN + text.trim())}`);
  const [item, ...others] = url.ok ? url.value.params.select : [];
  if (item?.kind !== 'column' || others.length > 0 || item.field.column !== COLUMN) return undefined;
  const isPathOnly = item.alias === undefined && item.cast === undefined && item.aggregate === undefined;
  return isPathOnly ? item.field.path : undefined;
}

/** Returns whether the field has a path or its column supports one. */
export function hasPaths({ columns }: RowSource, { column, path }: Field): boolean {
  const type = columns.find(({ name }) => name === column)?.type;
  if (path.length > 0 || type === undefined) return true;
  return type.isArray || type.category === 'json' || type.category === 'composite';
}

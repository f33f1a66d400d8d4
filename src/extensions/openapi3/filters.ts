// Describes the filter parameters of columns.
import type { Column, Relation } from '../../catalog/schema-cache.ts';
import { BUILT_IN_TYPES } from '../../contract/built-in-types.ts';
import type { Member } from '../../openapi/document/json-document.ts';
import { componentName, filterName, type Reference, refTo } from './components.ts';
import type { DocumentContext } from './document-context.ts';
import { profileParameter, listSharedParameters } from './shared-parameters.ts';
import { listUsableRelations } from './usable-relations.ts';

/** Returns references to `relation.column`; no other keys contain a dot. */
export function listFilters({ name, columns }: Relation): readonly Reference[] {
  const prefix = componentName(name.name);
  return [...columns.keys()].map((column) => refTo('parameters', `${prefix}.${componentName(column)}`));
}

export function* listParameters({ input }: DocumentContext): Generator<Member> {
  yield* listSharedParameters(input);
  if (input.exposedSchemas.length > 1) {
    yield ['acceptProfile', profileParameter('Accept-Profile', input.schema)];
    yield ['contentProfile', profileParameter('Content-Profile', input.schema)];
  }
  for (const { name, columns } of listUsableRelations(input)) {
    const prefix = componentName(name.name);
    for (const column of columns.values()) yield [`${prefix}.${componentName(column.name)}`, describeFilter(column)];
  }
}

function describeFilter(column: Column): object {
  const hint = `An operator and a value: \`${exampleOf(column)}\``;
  return {
    name: filterName(column.name),
    in: 'query',
    description: column.comment === undefined ? hint : `${column.comment}\n\n${hint}`,
    schema: { type: 'string' },
  };
}

const EXAMPLES: ReadonlyMap<string, string> = new Map([
  ['boolean', 'is.true'],
  ['text', 'ilike.*a*'],
  ['character varying', 'ilike.*a*'],
  ['date', 'gte.2000-01-31'],
  ['timestamp with time zone', 'gte.2000-01-31T12:00:00Z'],
  ['timestamp without time zone', 'gte.2000-01-31T12:00:00'],
  ['tsvector', 'fts.word'],
]);

function exampleOf({ type, enumLabels }: Column): string {
  const [label] = enumLabels;
  if (label !== undefined) return `eq.${label}`;
  const json = BUILT_IN_TYPES.get(type)?.json;
  if (json === 'integer' || json === 'number') return 'gte.1';
  if (type.endsWith('[]')) return 'cs.{}';
  return EXAMPLES.get(type) ?? 'not.is.null';
}

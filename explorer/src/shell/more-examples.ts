// The last example: calls a read-only function if there is one, else counts rows.
import type { DescribedFunction, DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { isPlain, readableColumns, type Example } from '../schema/example.ts';

/** Calls a function without required arguments directly; otherwise opens its form. */
export function callExample(schema: SchemaIndex): Example | undefined {
  const callable = schema.document.functions.filter((one) => one.isReadOnly && isPlain(one.name));
  const chosen = callable.find((one) => !needsArguments(one)) ?? callable.find((one) => one.parameters.every(isNamed));
  if (chosen === undefined) return undefined;
  return {
    title: `Call ${chosen.name}`,
    concept: 'Functions are below /rpc/; their arguments are URL parameters.',
    url: `/rpc/${chosen.name}${chosen.result.kind === 'row' && !needsArguments(chosen) ? '?limit=20' : ''}`,
  };
}

export function countExample(relations: readonly DescribedRelation[], schema: SchemaIndex): Example | undefined {
  const [relation] = relations;
  if (relation === undefined || !schema.document.features.aggregates) return undefined;
  const grouping = readableColumns(relation).find(({ type }) => ['enum', 'boolean'].includes(type.category));
  const by = grouping === undefined ? '' : `${grouping.name},`;
  return {
    title: `The number of rows in ${relation.name}${grouping === undefined ? '' : ` by ${grouping.name}`}`,
    concept: 'count() counts rows; other selected columns define the groups.',
    url: `/${relation.name}?select=${by}count()`,
  };
}

function needsArguments(one: DescribedFunction): boolean {
  return one.parameters.some((parameter) => parameter.isRequired);
}

function isNamed({ name }: { readonly name: string }): boolean {
  return name !== '';
}

// The last example: a function where there is one that only reads, else a count.
import type { DescribedFunction, DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { isPlain, readableColumns, type Example } from './example.ts';

/** One that needs no argument is called at once, another one opens its form. */
export function callExample(schema: SchemaIndex): Example | undefined {
  const callable = schema.document.functions.filter((one) => one.isReadOnly && isPlain(one.name));
  const chosen = callable.find((one) => !needsArguments(one)) ?? callable.find((one) => one.parameters.every(isNamed));
  if (chosen === undefined) return undefined;
  return {
    title: `What ${chosen.name} gives`,
    teaches: 'Functions stand below /rpc/; their arguments are parameters of the URL.',
    url: `/rpc/${chosen.name}${chosen.result.kind === 'row' && !needsArguments(chosen) ? '?limit=20' : ''}`,
  };
}

export function countExample(relations: readonly DescribedRelation[], schema: SchemaIndex): Example | undefined {
  const [relation] = relations;
  if (relation === undefined || !schema.document.features.aggregates) return undefined;
  const grouping = readableColumns(relation).find(({ type }) => ['enum', 'boolean'].includes(type.category));
  const by = grouping === undefined ? '' : `${grouping.name},`;
  return {
    title:
      grouping === undefined ? `How many ${relation.name} there are` : `How many ${relation.name} by ${grouping.name}`,
    teaches: 'count() counts rows; columns beside it make groups.',
    url: `/${relation.name}?select=${by}count()`,
  };
}

function needsArguments(one: DescribedFunction): boolean {
  return one.parameters.some((parameter) => parameter.isRequired);
}

function isNamed({ name }: { readonly name: string }): boolean {
  return name !== '';
}

// `list_relations`: the tables, views and functions that the role may use.
import type { DescribedFunction, DescribedRelation, SchemaDocument } from '../../../contract/schema-document.ts';
import type { JsonObject } from '../../../util/json-object.ts';
import { commentOf, describeSchema, isVisible, listCallable, listVerbs, schemaProperty } from '../requests/describe.ts';
import { buildFailure, buildResult, type Tool } from '../calls/tool.ts';

export const LIST_RELATIONS: Tool = {
  name: 'list_relations',
  title: 'List relations and functions',
  description:
    'Lists the tables and views that you may use, with what you may do with them, then the functions that you may call. Call it first.',
  requiresWrites: false,
  findEffect: () => 'none',
  buildInputSchema: (config) => ({
    type: 'object',
    properties: {
      ...schemaProperty(config),
      search: { type: 'string', description: 'Lists only names that contain this text' },
      offset: { type: 'integer', minimum: 0, description: 'Number of entries to skip' },
    },
    additionalProperties: false,
  }),
  isUseful: () => true,
  async run(given: { readonly schema?: string; readonly search?: string; readonly offset?: number }, context) {
    const document = await describeSchema(given.schema, context);
    if (!document.ok) return buildFailure(document.error);
    const entries = listEntries(document.value, context.config.mcpWrites);
    const wanted = given.search?.toLowerCase() ?? '';
    const found = entries.filter(({ name }) => name.toLowerCase().includes(wanted));
    const { offset = 0 } = given;
    const end = offset + context.config.mcpMaxRows;
    const { schema, comment } = document.value;
    return buildResult({
      data: { schema, ...commentOf(comment) },
      list: {
        name: 'entries',
        items: found.slice(offset, end),
        offset,
        hasMore: end < found.length,
        canContinue: true,
      },
    });
  },
};

type Entry = JsonObject & { readonly name: string };

function listEntries({ relations, functions }: SchemaDocument, mayWrite: boolean): readonly Entry[] {
  return [
    ...sortByName(relations.filter(isVisible)).map((relation) => describeEntry(relation, mayWrite)),
    ...sortByName(listCallable(functions, mayWrite)).map(describeCallable),
  ];
}

function sortByName<T extends { readonly name: string }>(list: readonly T[]): readonly T[] {
  return [...list].sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

function describeEntry({ name, kind, comment, may }: DescribedRelation, mayWrite: boolean): Entry {
  return { name, kind, may: listVerbs(may, mayWrite), ...commentOf(comment) };
}

function describeCallable({ name, comment, isReadOnly, parameters, result }: DescribedFunction): Entry {
  return {
    name,
    kind: 'function',
    isReadOnly,
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      type: parameter.type.name,
      isRequired: parameter.isRequired,
    })),
    returns: describeReturn(result),
    ...commentOf(comment),
  };
}

function describeReturn({ kind, isSet, type, relation, columns }: DescribedFunction['result']): string {
  const names = columns?.map((column) => `${column.name} ${column.type.name}`).join(', ');
  const element = relation ?? type?.name ?? (names === undefined ? kind : `(${names})`);
  return isSet ? `set of ${element}` : element;
}

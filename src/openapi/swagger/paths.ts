// Lists the paths of the document (`operating.md` §12.3).
import type { Relation } from '../../catalog/schema-cache.ts';
import { FORMATS } from '../../media/formats.ts';
import { describeOperation } from '../document/comment-text.ts';
import { type DescriptionInput, isWritable, listRelations, listRoutines } from '../document/description-input.ts';
import type { Member } from '../document/json-document.ts';
import { bodyKey, rowFilterKey } from './parameters.ts';
import { type Reference, refTo } from './refs.ts';
import { describeRoutine } from './routine-path.ts';

const ROOT = {
  get: {
    tags: ['Introspection'],
    summary: 'OpenAPI description (this document)',
    produces: [FORMATS.openapi.mediaType, FORMATS.json.mediaType],
    responses: { 200: { description: 'OK' } },
  },
};

const READ = refsTo('select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount');
const INSERT = refsTo('select', 'preferPost');
const CHANGE = refsTo('preferReturn');
const NO_CONTENT = { 204: { description: 'No Content' } };

export function* listPaths(input: DescriptionInput): Generator<Member> {
  yield ['/', ROOT];
  for (const relation of listRelations(input)) yield [`/${relation.name.name}`, describeRelationPath(relation)];
  for (const [name, [shown]] of listRoutines(input)) {
    if (shown !== undefined) yield [`/rpc/${name}`, describeRoutine(shown, input.dialect)];
  }
}

function describeRelationPath(relation: Relation): object {
  const { name } = relation.name;
  const common = { tags: [name], ...describeOperation(relation.comment) };
  const filters = [...relation.columns.keys()].map((column) => refTo('parameters', rowFilterKey(relation, column)));
  const body = refTo('parameters', bodyKey(relation));
  const rows = { type: 'array', items: refTo('definitions', name) };
  const responses = { 200: { description: 'OK', schema: rows }, 206: { description: 'Partial Content' } };
  const get = { ...common, parameters: [...filters, ...READ], responses };
  if (!isWritable(relation)) return { get };
  return {
    get,
    post: { ...common, parameters: [body, ...INSERT], responses: { 201: { description: 'Created' } } },
    patch: { ...common, parameters: [...filters, body, ...CHANGE], responses: NO_CONTENT },
    delete: { ...common, parameters: [...filters, ...CHANGE], responses: NO_CONTENT },
  };
}

function refsTo(...keys: readonly string[]): readonly Reference[] {
  return keys.map((key) => refTo('parameters', key));
}

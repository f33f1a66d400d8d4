// Describes the path of a function, with its arguments in a POST body and in a GET query (`operating.md` §12.3, §12.8).
import type { Routine, RoutineParameter } from '../../catalog/schema-cache.ts';
import type { Dialect } from '../../contract/dialect.ts';
import { FORMATS } from '../../media/formats.ts';
import { printMediaType } from '../../media/media-type.ts';
import { describeOperation } from '../document/comment-text.ts';
import { buildObjectSchema, type ObjectSchema } from './definitions.ts';
import { refTo } from './parameters.ts';
import { describeType, elementType, type TypeName, type TypeSchema } from './types.ts';

/** As `operating.md` §12.3 prescribes. */
export function listJsonTypes({ mediaVendor: vendor }: Dialect): readonly string[] {
  const objects = [true, false].map((stripped) => printMediaType({ kind: 'object', stripped, vendor }));
  return [FORMATS.json.mediaType, ...objects];
}

export function describeRoutine(routine: Routine, dialect: Dialect): object {
  const common = {
    tags: [`(rpc) ${routine.name.name}`],
    ...describeOperation(routine.comment),
    produces: listJsonTypes(dialect),
    responses: { 200: { description: 'OK' } },
  };
  const args = { name: 'args', in: 'body', required: true, schema: describeArguments(routine) };
  const post = { ...common, parameters: [args, refTo('parameters', 'preferParams')] };
  if (routine.volatility === 'volatile') return { post };
  const named = routine.parameters.filter(({ name }) => name !== '');
  return { get: { ...common, parameters: named.map(describeQueryArgument) }, post };
}

/** A single unnamed parameter takes the whole body. */
function describeArguments({ comment, parameters }: Routine): ObjectSchema | (TypeSchema & { description: unknown }) {
  const [first] = parameters;
  if (first?.name === '') return { description: comment, ...describeType(first.type) };
  return buildObjectSchema(
    comment,
    parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    parameters.map(({ name, type }) => [name, describeType(type)]),
  );
}

function describeQueryArgument({ name, type, isRequired, isVariadic }: RoutineParameter): object {
  const common = { name, in: 'query', required: isRequired };
  if (!isVariadic) return { ...common, ...describeTextValue(type) };
  return {
    ...common,
    type: 'array',
    collectionFormat: 'multi',
    items: describeTextValue(elementType(type) ?? type),
  };
}

/** Arrays are sent as array literals, json as text. */
function describeTextValue(type: string): { readonly type: TypeName; readonly format: string } {
  const described = describeType(type);
  if (described.type === undefined || described.type === 'array') return { type: 'string', format: type };
  return { type: described.type, format: described.format };
}

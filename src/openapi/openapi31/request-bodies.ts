// Describes the request bodies of relations: rows to insert, and changes to update.
import type { Relation } from '../../catalog/schema-cache.ts';
import type { Member } from '../document/json-document.ts';
import { FORMAT_LIST, FORMATS } from '../../media/formats.ts';
import { listPatchTypes } from '../../media/media-type.ts';
import type { DescriptionInput } from '../document/description-input.ts';
import { type Reference, refTo } from './components.ts';
import { describeFormat, describeLines, joinContents } from './content.ts';
import type { DocumentContext } from './document-context.ts';
import { componentName } from './names.ts';
import type { RequestBody } from './operation.ts';
import { payloadSchema } from './schemas.ts';
import type { JsonSchema } from './types.ts';
import { listUsableRelations } from './usable-relations.ts';

export function bodyOf({ name }: Relation, use: 'insert' | 'update'): Reference {
  return refTo('requestBodies', `${componentName(name.name)}.${use}`);
}

export function* listRequestBodies({ input }: DocumentContext): Generator<Member> {
  for (const { name, may } of listUsableRelations(input)) {
    const key = componentName(name.name);
    const row = payloadSchema(name.name, 'insert');
    const rows = { anyOf: [row, { type: 'array', items: row }] } as const;
    if (may.insert) yield [`${key}.insert`, describePayload(rows, row, input)];
    if (may.update) yield [`${key}.update`, describeUpdate(name.name, input)];
  }
}

/** The values of patches are not described: an operation may take the place of any value (`beyond.md` §2.6). */
function describeUpdate(relation: string, input: DescriptionInput): RequestBody {
  const { extensions, dialect } = input;
  const changes = payloadSchema(relation, 'update');
  const isBulk = extensions.includes('bulk');
  const body = describePayload(isBulk ? payloadSchema(relation, 'updates') : changes, changes, {
    ...input,
    extensions: [],
  });
  if (!extensions.includes('patch')) return body;
  const { merge, operations } = listPatchTypes(dialect);
  const types = [merge, ...operations.slice(0, 1)];
  const schema: JsonSchema = { type: isBulk ? ['object', 'array'] : 'object' };
  const patches = types.map((type) => ({ [type]: { schema } }));
  return { ...body, content: joinContents([body.content, ...patches]) };
}

/** A form or a line contains a single object, even if JSON bodies may contain arrays. */
function describePayload(json: JsonSchema, form: JsonSchema, input: DescriptionInput): RequestBody {
  const formats = FORMAT_LIST.filter(({ body, extensions }) => {
    const isActive = extensions?.body === undefined || input.extensions.includes(extensions.body);
    return body !== undefined && body.kind !== 'raw' && isActive;
  });
  const content = formats.map((format) => {
    if (format.body?.kind === 'lines') return describeLines(format, form, input);
    return describeFormat(format, format === FORMATS.form ? form : json);
  });
  return { required: true, content: joinContents(content) };
}

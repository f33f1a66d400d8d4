// Describes the request bodies of relations: rows to insert, and changes to update.
import type { Relation } from '../../catalog/schema-cache.ts';
import type { Member } from '../document/json-document.ts';
import { type Reference, refTo } from './components.ts';
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
    const changes = payloadSchema(name.name, 'update');
    const rows = { anyOf: [row, { type: 'array', items: row }] } as const;
    if (may.insert) yield [`${key}.insert`, describePayload(rows, row, input.takesLines ? LINES : {})];
    if (may.update) yield [`${key}.update`, describePayload(changes, changes, {})];
  }
}

/** One object per line. */
const LINES: RequestBody['content'] = { 'application/x-ndjson': { schema: { type: 'string' } } };

/** A form contains one object of texts; CSV has a header line and lines of values. */
function describePayload(json: JsonSchema, form: JsonSchema, lines: RequestBody['content']): RequestBody {
  return {
    required: true,
    content: {
      'application/json': { schema: json },
      'application/x-www-form-urlencoded': { schema: form },
      'text/csv': { schema: { type: 'string' } },
      ...lines,
    },
  };
}

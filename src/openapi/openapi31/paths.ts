// Lists the paths of the document (root, relations, functions) and the tags that group them.
import { FORMATS, REGISTERED_OPENAPI_TYPE } from '../../media/formats.ts';
import { splitComment } from '../document/comment-text.ts';
import { listRoutines } from '../document/description-input.ts';
import type { Member } from '../document/json-document.ts';
import type { DocumentContext } from './document-context.ts';
import { ERROR, type Operation } from './operation.ts';
import { describeRelationPath } from './relation-path.ts';
import { describeRoutinePath, FUNCTIONS_TAG } from './routine-path.ts';
import { listUsableRelations } from './usable-relations.ts';

const ROOT_TAG = 'Introspection';

export interface Tag {
  readonly name: string;
  readonly description?: string;
}

export function* listPaths(context: DocumentContext): Generator<Member> {
  const { input } = context;
  yield ['/', { get: describeRoot(context) }];
  for (const relation of listUsableRelations(input)) {
    yield [`/${encodeURIComponent(relation.name.name)}`, describeRelationPath(relation, context)];
  }
  for (const [name, overloads] of listRoutines(input)) {
    yield [`/rpc/${encodeURIComponent(name)}`, describeRoutinePath(name, overloads, context)];
  }
}

export function listTags({ input }: DocumentContext): readonly Tag[] {
  const tags = new Map<string, Tag>([[ROOT_TAG, { name: ROOT_TAG }]]);
  for (const { name, comment } of listUsableRelations(input)) {
    const summary = comment === undefined ? {} : { description: splitComment(comment).summary };
    tags.set(name.name, { name: name.name, ...summary });
  }
  if (listRoutines(input).size > 0 && !tags.has(FUNCTIONS_TAG)) tags.set(FUNCTIONS_TAG, { name: FUNCTIONS_TAG });
  return [...tags.values()];
}

function describeRoot({ readProfile }: DocumentContext): Operation {
  return {
    tags: [ROOT_TAG],
    summary: 'OpenAPI description (this document)',
    operationId: 'describe',
    parameters: readProfile,
    responses: {
      200: {
        description: 'OK',
        content: {
          [FORMATS.openapi.mediaType]: { schema: { type: 'object' } },
          [REGISTERED_OPENAPI_TYPE]: { schema: { type: 'object' } },
        },
      },
      ...ERROR,
    },
  };
}

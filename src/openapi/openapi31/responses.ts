// Lists the shared responses of the document: the error that any operation can return, and the rows of each relation.
import { FORMATS } from '../../media/formats.ts';
import type { Member } from '../document/json-document.ts';
import type { DocumentContext } from './document-context.ts';
import type { Response } from './operation.ts';
import { describeRowsResponse, rowsKey } from './relation-path.ts';
import { listUsableRelations } from './usable-relations.ts';

const ERROR_CONTENT: Pick<Response, 'content'> = {
  content: {
    [FORMATS.json.mediaType]: {
      schema: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', description: 'SQLSTATE, or error code of the server' },
          message: { type: 'string' },
          details: { description: 'Omitted if the server is configured to shorten errors' },
          hint: { type: ['string', 'null'], description: 'Omitted if the server is configured to shorten errors' },
        },
      },
    },
  },
};

const ERROR: Response = { description: 'The request failed', ...ERROR_CONTENT };

/** Of the extension `etag`. */
const CONDITION_FAILED: Response = {
  description: 'The row is not in the state that `If-Match` or `If-None-Match` demands; nothing was changed',
  ...ERROR_CONTENT,
};

export function* listResponses(context: DocumentContext): Generator<Member> {
  yield ['Error', ERROR];
  if (context.input.extensions.includes('etag')) yield ['ConditionFailed', CONDITION_FAILED];
  yield ['NoContent', { description: 'The request succeeded; there is no content to return' }];
  for (const relation of listUsableRelations(context.input)) {
    yield [rowsKey(relation), describeRowsResponse(relation, context)];
  }
}

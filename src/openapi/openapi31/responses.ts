// Lists the shared responses of the document: the error that any operation can return, and the rows of each relation.
import { FORMATS } from '../../media/formats.ts';
import type { Member } from '../document/json-document.ts';
import type { DocumentContext } from './document-context.ts';
import type { Response } from './operation.ts';
import { describeRowsResponse, rowsKey } from './relation-path.ts';
import { listUsableRelations } from './usable-relations.ts';

const ERROR: Response = {
  description: 'The request failed',
  content: {
    [FORMATS.json.mediaType]: {
      schema: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', description: 'SQLSTATE or a code of the service' },
          message: { type: 'string' },
          details: { description: 'Absent where errors are kept short' },
          hint: { type: ['string', 'null'], description: 'Absent where errors are kept short' },
        },
      },
    },
  },
};

export function* listResponses(context: DocumentContext): Generator<Member> {
  yield ['Error', ERROR];
  yield ['NoContent', { description: 'Done; there is nothing to return' }];
  for (const relation of listUsableRelations(context.input)) {
    yield [rowsKey(relation), describeRowsResponse(relation, context)];
  }
}

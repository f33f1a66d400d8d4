// The document of a schema that the explorer and agents read (`contract/schema-document.ts`): everything that a role may
// see and do, by its own media type.
import { contentTypeOf } from '../../media/media-type.ts';
import type { Extension } from '../../serve/extension.ts';
import { runSlicesWithPauses } from '../../util/slices.ts';
import { buildSchemaDocument } from './build-schema-document.ts';
import { decodeDetails } from './role-details.ts';
import { renderRoleDetailsSql } from './role-details.sql.ts';

export const SCHEMA_DOCUMENT: Extension = {
  name: 'schema-document',
  compile: () => ({
    chooseDocument: (type) =>
      type.kind === 'schema' ? { document: 'schema', contentType: contentTypeOf(type) } : undefined,
    renderDetails: renderRoleDetailsSql,
    async buildDetails(found, schema, context) {
      const details = await runSlicesWithPauses(decodeDetails(found, schema), context.pause);
      return buildSchemaDocument({ ...context, schema, details });
    },
  }),
};

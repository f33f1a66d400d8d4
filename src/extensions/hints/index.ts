// What a client can do about an error: a token, the missing GRANT, the row or value at fault, a correct spelling of the
// request. Adds to errors that the core has found; without it, they keep the texts of PostgreSQL and of the catalogue.
import type { Extension } from '../../serve/extension.ts';
import { explainPath } from './explain-path.ts';
import { explainDeniedCall, explainRefusal } from './explain-refusal.ts';
import { explainSelect } from './explain-select.ts';

export const HINTS: Extension = {
  name: 'hints',
  compile({ config, dialect: { hasHints } }) {
    if (!hasHints && !config.extensions.messages) return undefined;
    return {
      hints: {
        async explainSyntax(error, { request, context, planning, identity }) {
          if (!hasHints) return error;
          const findVisible = () => context.findVisibleNames(identity.role);
          const explaining = { schemas: planning.settings.schemas, cache: planning.context.cache, findVisible };
          return error.kind === 'queryParse'
            ? explainSelect(error, request, explaining)
            : explainPath(error, request, explaining);
        },
        explainRefusal,
        explainDeniedCall,
      },
    };
  },
};

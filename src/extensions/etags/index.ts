// Entity tags of responses, and conditions on the version of a row that is read or written (`beyond.md` §1.7). How a
// statement compares versions is in the core: `sql/writes/row-version.ts`.
import type { Extension } from '../../serve/extension.ts';
import { addEntityTag } from './entity-tag.ts';
import { readWriteCondition } from './write-condition.ts';

export const ETAGS: Extension = {
  name: 'etags',
  compile({ config }) {
    if (!config.extensions.etag) return undefined;
    const conditions = { readCondition: readWriteCondition };
    return config.serverEtags ? { ...conditions, tag: addEntityTag, returnsVersions: true } : conditions;
  },
};

// Replicas: reads may run on standbys, at least as fresh as the client's own writes (`docs/replicas.md`).
import type { Extension } from '../../serve/extension.ts';
import { planReplicaUse } from './plan-replica-use.ts';
import { positionHeaders } from './position-headers.ts';

export const REPLICAS: Extension = {
  name: 'replicas',
  compile({ config, dialect }) {
    if (config.dbUriReplicas.length === 0) return undefined;
    const carrier = { name: dialect.positionHeader, kind: config.dbReadYourWrites };
    return {
      completeScript: (script, action, { headers }) => ({
        ...script,
        ...planReplicaUse(script, action, { headers, carrier }),
      }),
      headers: (script, result, { basePath }) => positionHeaders(script, result, { carrier, basePath }),
    };
  },
};

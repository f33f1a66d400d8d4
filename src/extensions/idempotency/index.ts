// Idempotency keys: a write with the header `Idempotency-Key` runs once, and its response is stored in the same
// transaction and repeated (`beyond.md` §2.7).
import { ok } from '../../contract/result.ts';
import type { Extension } from '../../serve/extension.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';
import { keepResponse } from './keep-response.ts';
import { readKeyedRequest } from './keyed-request.ts';

export const IDEMPOTENCY: Extension = {
  name: 'idempotency',
  compile({ config }) {
    const schema = config.dbIdempotencySchema;
    if (schema === undefined || !config.extensions.idempotency) return undefined;
    return {
      hold(work) {
        const keyed = readKeyedRequest(work.request, work.identity, { ...work.context, schema });
        if (!keyed.ok || keyed.value === undefined) return keyed.ok ? ok(undefined) : keyed;
        const { value } = keyed;
        return ok((script, respond) => keepResponse(script, value, respond));
      },
      findKeyUse(request) {
        const key = parseIdempotencyKey(request);
        return key.ok && key.value !== undefined ? 'sent' : 'available';
      },
    };
  },
};

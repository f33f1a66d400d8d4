// Options of batches, safe retries and nested writes (`operating.md` §1.5). PostgREST has none of them.
import { HEADER_LIST } from './checked-option-types.ts';
import type { OptionGroup } from './option.ts';
import { BOOLEAN, integer } from './option-types.ts';

const BATCH_OPTIONS: OptionGroup<'batch'> = {
  batchHeaders: {
    name: 'batch-headers',
    type: HEADER_LIST,
    default: [],
    example: 'x-tenant',
    doc: 'Further headers that each request in a batch may set for itself; name none that a gateway sets or removes, because it sees only the headers of the batch',
    isOwn: true,
  },
  batchMaxRequests: {
    name: 'batch-max-requests',
    type: integer(1),
    default: 100,
    doc: 'Maximum number of requests in a batch',
    isOwn: true,
  },
  batchMaxResponse: {
    name: 'batch-max-response',
    type: integer(0),
    default: 16_777_216,
    doc: 'Maximum bytes of the responses in a batch and of what references insert, which are held in memory',
    isOwn: true,
  },
};

const IDEMPOTENCY_OPTIONS: OptionGroup<'idempotency'> = {
  idempotencyAnonymous: {
    name: 'idempotency-anonymous',
    type: BOOLEAN,
    default: false,
    doc: 'Accepts Idempotency-Key without the claim sub; all clients of a role then share their keys',
    isOwn: true,
  },
  idempotencyMaxAge: {
    name: 'idempotency-max-age',
    type: integer(1),
    default: 86_400,
    doc: 'Seconds for which idempotency keys and their responses are kept',
    isOwn: true,
  },
  idempotencyMaxBytes: {
    name: 'idempotency-max-bytes',
    type: integer(1),
    default: 67_108_864,
    doc: 'Bytes that the idempotency keys of one role and subject may take with their responses; further keys are rejected until the oldest ones expire',
    isOwn: true,
  },
};

const NESTED_OPTIONS: OptionGroup<'nested'> = {
  nestedMaxDepth: {
    name: 'nested-max-depth',
    type: integer(1),
    default: 5,
    doc: 'Maximum levels of related rows in the body of a nested write',
    isOwn: true,
  },
  nestedMaxRows: {
    name: 'nested-max-rows',
    type: integer(1),
    default: 100_000,
    doc: 'Maximum rows in a body with related rows, on all levels together',
    isOwn: true,
  },
};

export type RequestGroup = 'batch' | 'idempotency' | 'nested';

export const REQUEST_OPTIONS: OptionGroup<RequestGroup> = {
  ...BATCH_OPTIONS,
  ...IDEMPOTENCY_OPTIONS,
  ...NESTED_OPTIONS,
};

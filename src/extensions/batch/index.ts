// Batches: several requests in one transaction (`beyond.md` §2.1). A POST to `/` with the media type of batches is
// answered here, apart from all other requests.
import type { Extension } from '../../serve/extension.ts';
import { answerBatch } from './answer-batch.ts';
import { isBatch } from '../../request/is-batch.ts';

export const BATCH: Extension = {
  name: 'batch',
  compile: ({ config, dialect }) =>
    config.extensions.batch ? { findOwnTask: (head) => (isBatch(head, dialect) ? answerBatch : undefined) } : undefined,
};

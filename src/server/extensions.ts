// The list of extensions. Nothing else names them.
import { AGENTS } from '../extensions/agents/index.ts';
import { BATCH } from '../extensions/batch/index.ts';
import { COST } from '../extensions/cost/index.ts';
import { ETAGS } from '../extensions/etags/index.ts';
import { HINTS } from '../extensions/hints/index.ts';
import { IDEMPOTENCY } from '../extensions/idempotency/index.ts';
import { INGEST } from '../extensions/ingest/index.ts';
import { ISSUER } from '../extensions/issuer/index.ts';
import { LIVE } from '../extensions/live/index.ts';
import { NESTED } from '../extensions/nested/index.ts';
import { OPENAPI3 } from '../extensions/openapi3/index.ts';
import { PAGES } from '../extensions/pages/index.ts';
import { RATES } from '../extensions/rates/index.ts';
import { REPLICAS } from '../extensions/replicas/index.ts';
import { SCHEMA_DOCUMENT } from '../extensions/schema-document/index.ts';
import { SHARDS } from '../extensions/shards/index.ts';
import { SHARED_READS } from '../extensions/shared-reads/index.ts';
import { SYNC } from '../extensions/sync/index.ts';
import { TRACING } from '../extensions/tracing/index.ts';
import type { ServiceExtension } from '../service/database/create-pool.ts';

export const EXTENSIONS: readonly ServiceExtension[] = [
  AGENTS,
  // Before batches, whose media type it shares.
  SYNC,
  BATCH,
  COST,
  ETAGS,
  HINTS,
  IDEMPOTENCY,
  INGEST,
  ISSUER,
  RATES,
  REPLICAS,
  LIVE,
  NESTED,
  OPENAPI3,
  PAGES,
  SCHEMA_DOCUMENT,
  SHARDS,
  SHARED_READS,
  TRACING,
];

/** Call before the program exits, after the last request. */
export async function flushExtensions(): Promise<void> {
  await Promise.all(EXTENSIONS.flatMap((extension) => extension.flush?.() ?? []));
}

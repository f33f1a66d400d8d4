// Lets the backend of a session keep its memory from one statement to the next (`docs/decisions/heap.md`).
import { query } from './query.ts';
import type { Session } from './session.ts';

/**
 * glibc returns memory above 128 kB to the system after each statement, until a larger piece has been freed once: then
 * it keeps up to twice the size of that piece. Other C libraries do not, so there the piece is not made.
 */
const STATEMENT = `SELECT pg_catalog.octet_length(pg_catalog.repeat(pg_catalog.repeat('x', 4096),
  (SELECT 2048 WHERE pg_catalog.version() ~ 'linux-gnu')))`;

/** Runs after the responses that were requested before. A failure costs nothing but the memory kept. */
export function keepHeap(session: Session): void {
  session.isHeapKept = true;
  void query(session, STATEMENT);
}

// The descriptions of schemas that were read recently, so that a call that reads or writes rows is a single request. The
// database checks the privileges of this request anyway.
import type { SchemaDocument } from '../../../contract/schema-document.ts';
import type { Planning } from '../../../prepare/plan-cache.ts';
import { type RecentLimits, RecentMap } from '../../../util/recent-map.ts';
import { runSlicesWithPauses } from '../../../util/slices.ts';
import { parseDescription } from './read-description.ts';
import type { AgentRequest } from './send-request.ts';

interface KnownSchema {
  readonly document: SchemaDocument;
  /** Its JSON text. The server returns the same array as long as the description does not change. */
  readonly bytes: Uint8Array;
  /** Milliseconds of the monotonic clock. */
  readonly readAt: number;
}

type Known = RecentMap<string, KnownSchema | undefined>;

/** By configuration and schema cache. */
const recent: WeakMap<Planning, Known> = new WeakMap();

/** Milliseconds. Columns that are granted meanwhile are missing from calls that select all columns. */
const VALIDITY_MS = 60_000;
/** In bytes; each takes about six bytes of memory. */
const LIMITS: RecentLimits<KnownSchema | undefined> = {
  entries: 16,
  size: 4_194_304,
  sizeOf: (schema) => schema?.bytes.length ?? 0,
};

/** As one call sees them. */
export class KnownSchemas {
  readonly #role: string | undefined;
  readonly #known: Known | undefined;
  readonly #used: Set<string> = new Set();

  /** @param planning undefined: nothing is kept */
  constructor({ sender }: AgentRequest, planning: Planning | undefined) {
    this.#role = sender?.role;
    this.#known = planning && (recent.get(planning) ?? new RecentMap(LIMITS));
    if (planning !== undefined && this.#known !== undefined) recent.set(planning, this.#known);
  }

  /** @param schema as the call names it; undefined: the default one */
  find(schema: string | undefined): SchemaDocument | undefined {
    const key = this.#keyOf(schema);
    const found = this.#known?.get(key);
    if (found === undefined || performance.now() > found.readAt + VALIDITY_MS) return undefined;
    this.#used.add(key);
    return found.document;
  }

  /** Reads a description, unless it is known already, and keeps it. @returns undefined if the bytes are no description */
  async read(
    schema: string | undefined,
    bytes: Uint8Array,
    pause: () => Promise<unknown>,
  ): Promise<SchemaDocument | undefined> {
    const key = this.#keyOf(schema);
    const known = this.#known?.get(key);
    const document =
      known?.bytes === bytes ? known.document : await runSlicesWithPauses(parseDescription(bytes), pause);
    if (document !== undefined) this.#known?.set(key, { document, bytes, readAt: performance.now() });
    return document;
  }

  /** Forgets what the call has used, because it failed: privileges may have changed. */
  forget(): void {
    for (const key of this.#used) this.#known?.set(key, undefined);
  }

  #keyOf(schema: string | undefined): string {
    return JSON.stringify([this.#role, schema]);
  }
}

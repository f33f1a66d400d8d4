// The descriptions of schemas that were read recently, so that a call that reads or writes rows is a single request. The
// database checks the privileges of this request anyway.
import type { SchemaDocument } from '../../contract/schema-document.ts';
import type { Planning } from '../../prepare/plan-cache.ts';
import { type RecentLimits, RecentMap } from '../../util/recent-map.ts';
import type { AgentRequest } from './send-request.ts';

interface KnownSchema {
  readonly document: SchemaDocument;
  /** Characters of its JSON text. */
  readonly length: number;
  /** Milliseconds of the monotonic clock. */
  readonly readAt: number;
}

type Known = RecentMap<string, KnownSchema | undefined>;

/** By configuration and schema cache. */
const recent: WeakMap<Planning, Known> = new WeakMap();

/** Milliseconds. Columns that are granted meanwhile are missing from calls that select all columns. */
const VALIDITY_MS = 60_000;
/** In characters; each takes about five bytes. */
const LIMITS: RecentLimits<KnownSchema | undefined> = {
  entries: 16,
  size: 4_194_304,
  sizeOf: (schema) => schema?.length ?? 0,
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

  keep(schema: string | undefined, document: SchemaDocument, length: number): void {
    this.#known?.set(this.#keyOf(schema), { document, length, readAt: performance.now() });
  }

  /** Forgets what the call has used, because it failed: privileges may have changed. */
  forget(): void {
    for (const key of this.#used) this.#known?.set(key, undefined);
  }

  #keyOf(schema: string | undefined): string {
    return JSON.stringify([this.#role, schema]);
  }
}

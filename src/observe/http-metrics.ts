// Counts events of the HTTP servers and renders them as metrics.
import { compareCodePoints } from '../util/code-points.ts';
import type { Metric } from './metrics.ts';

/** Counts of events by name. Names without events are absent. */
export interface Tallied {
  readonly entries: readonly (readonly [name: string, count: number])[];
}

export class Tally<Name extends string> implements Tallied {
  readonly #counts: Map<Name, number> = new Map();

  count(name: Name): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  get entries(): readonly (readonly [Name, number])[] {
    return [...this.#counts].sort(([a], [b]) => compareCodePoints(a, b));
  }
}

/** A limit appears only after its first event. */
export function describeRefusals(prefix: string, refusals: Tallied): Metric {
  return {
    name: `${prefix}http_refused_total`,
    type: 'counter',
    help: 'The total number of requests and connections that were refused, by the option that sets the limit',
    samples: refusals.entries.map(([limit, value]) => ({ label: `reason="${limit}"`, value })),
  };
}

// Reads the counters of live responses from the metrics of a server.

export interface Counters {
  readonly reads: number;
  readonly resets: number;
}

/** Zero before the first live response. */
export async function readCounters(adminPort: number): Promise<Counters> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  const value = (name: string): number => Number(new RegExp(`^svc_${name} (\\d+)`, 'mu').exec(text)?.[1] ?? 0);
  return { reads: value('live_reads_total'), resets: value('live_resets_total') };
}

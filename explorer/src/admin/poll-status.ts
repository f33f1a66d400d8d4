// Polls the status of the server every two seconds while the page is visible.
import { signal, type ReadonlySignal } from '@preact/signals';
import type { StatusDocument } from '../../../src/contract/status-document.ts';
import { appendSample, type Sample, takeSample, type TimedStatus } from './sample.ts';

export interface AdminState {
  /** The last status received. */
  readonly latest: TimedStatus | undefined;
  readonly samples: readonly Sample[];
  /** Why the last poll failed. */
  readonly failure: string | undefined;
}

const INTERVAL_MS = 2000;
const TIMEOUT_MS = 5000;

/** Polls as long as the page is open. */
export function pollStatus(): ReadonlySignal<AdminState> {
  const state = signal<AdminState>({ latest: undefined, samples: [], failure: undefined });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReading = false;
  const read = async (): Promise<void> => {
    clearTimeout(timer);
    if (document.hidden || isReading) return;
    isReading = true;
    state.value = addReading(state.peek(), await readStatus());
    isReading = false;
    timer = setTimeout(() => void read(), INTERVAL_MS);
  };
  document.addEventListener('visibilitychange', () => void read());
  void read();
  return state;
}

type Reading = { readonly ok: true; readonly value: TimedStatus } | { readonly ok: false; readonly error: string };

async function readStatus(): Promise<Reading> {
  try {
    const response = await fetch('./status', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) return { ok: false, error: `The admin server returned status ${response.status}.` };
    const status: StatusDocument = await response.json();
    return { ok: true, value: { status, readAt: performance.now() } };
  } catch {
    return { ok: false, error: 'The admin server does not respond. It may be stopped or restarting.' };
  }
}

function addReading({ latest, samples }: AdminState, reading: Reading): AdminState {
  if (!reading.ok) return { latest, samples, failure: reading.error };
  const sample = latest && takeSample(latest, reading.value);
  return {
    latest: reading.value,
    samples: sample === undefined ? [] : appendSample(samples, sample),
    failure: undefined,
  };
}

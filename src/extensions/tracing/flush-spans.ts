// Sends the spans that the SDK still holds when the process ends.
import type { TracerProvider } from '@opentelemetry/api';
import { waitAtMost } from '../../service/scheduling/waiting.ts';
import { isProxy, loadApi } from './find-tracing.ts';

/** A collector that does not answer may delay the end this long. */
const FLUSH_TIMEOUT_MS = 1000;

/** Resolves when the spans have been sent, cannot be sent, or time is up. Call it after the last request. */
export async function flushSpans(): Promise<void> {
  const provider = loadApi()?.trace.getTracerProvider();
  const sdk = provider !== undefined && isProxy(provider) ? provider.getDelegate() : provider;
  if (sdk === undefined || !canFlush(sdk)) return;
  await waitAtMost(FLUSH_TIMEOUT_MS, flush(sdk));
}

async function flush(sdk: Flushing): Promise<void> {
  try {
    await sdk.forceFlush();
  } catch {
    // The SDK has logged why.
  }
}

interface Flushing {
  readonly forceFlush: () => Promise<void>;
}

/** The API does not declare the method; the providers of all SDKs have it. */
function canFlush(provider: TracerProvider): provider is TracerProvider & Flushing {
  return 'forceFlush' in provider && typeof provider.forceFlush === 'function';
}

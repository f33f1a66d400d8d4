// Traces (`beyond.md` §3.4): requests as spans of OpenTelemetry, and the trace of a request as a setting of its
// transaction.
import { firstHeader } from '../../contract/http.ts';
import type { Seams } from '../../serve/request-context.ts';
import type { Extension } from '../../serve/extension.ts';
import { findTracing, isProxy, loadApi } from './find-tracing.ts';
import type { TracerProvider } from '@opentelemetry/api';
import { waitAtMost } from '../../service/scheduling/waiting.ts';

export const TRACING: Extension = {
  name: 'tracing',
  compile: ({ config }) => (config.dbTraceparent && config.extensions.otel ? { findTraceparent } : undefined),
  start({ servesRequests, ...environment }) {
    // Looks for an SDK even if the extension is off: a reload may switch it on.
    const tracing = servesRequests ? findTracing(environment) : undefined;
    return { apply: ({ config }) => ({ tracing: config.extensions.otel ? tracing : undefined }) };
  },
  flush: flushSpans,
};

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/u;

/** Without a tracing system, hands on what the client sent. */
const findTraceparent: Seams['findTraceparent'] = ({ headers }, trace) => {
  const received = firstHeader(headers, 'traceparent') ?? '';
  return trace?.traceparent ?? (TRACEPARENT.test(received) ? received : '');
};

/** A collector that does not answer may delay the end this long. */
const FLUSH_TIMEOUT_MS = 1000;

/** Resolves when the spans have been sent, cannot be sent, or time is up. Call it after the last request. */
async function flushSpans(): Promise<void> {
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

// Traces (`beyond.md` §3.4): requests as spans of OpenTelemetry, and the trace of a request as a setting of its
// transaction.
import { firstHeader } from '../../contract/http.ts';
import type { Seams } from '../../serve/request-context.ts';
import type { Extension } from '../../serve/extension.ts';
import { findTracing } from './find-tracing.ts';
import { flushSpans } from './flush-spans.ts';

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

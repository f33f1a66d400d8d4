// Stands in for an OpenTelemetry collector: receives spans over HTTP in the JSON encoding of OTLP.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { until } from './until.ts';
import { listen } from './listen.ts';

export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** 1: internal, 2: server, 3: client. */
  readonly kind: number;
  /** 2: error. */
  readonly status: number | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly start: bigint;
  readonly end: bigint;
  readonly service: unknown;
}

export interface SpanCollector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** Resolves with the spans of a trace when the one without a local parent has arrived. */
  trace(traceId: string): Promise<readonly CollectedSpan[]>;
  close(): void;
}

interface RawAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface RawSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: readonly RawAttribute[];
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly RawAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

export async function startSpanCollector(): Promise<SpanCollector> {
  const spans: CollectedSpan[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url === '/v1/traces') spans.push(...decode(JSON.parse(body) as ExportRequest));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  const port = await listen(server);
  const find = (traceId: string): readonly CollectedSpan[] => spans.filter((span) => span.traceId === traceId);
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    trace: async (traceId) => {
      await until(() => find(traceId).some(({ kind }) => kind === 2));
      return find(traceId);
    },
    close: () => server.close(),
  };
}

function decode({ resourceSpans }: ExportRequest): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        kind: span.kind,
        status: span.status.code,
        attributes: toObject(span.attributes),
        start: BigInt(span.startTimeUnixNano),
        end: BigInt(span.endTimeUnixNano),
        service: toObject(resource.attributes)['service.name'],
      })),
    ),
  );
}

function toObject(attributes: readonly RawAttribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

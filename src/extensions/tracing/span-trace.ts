// The spans of one request: its own, one for each stage, and one for each transaction with the semantic conventions of
// OpenTelemetry for databases.
import type * as Api from '@opentelemetry/api';
import type { OnPhase, Phase } from '../../observe/phases.ts';
import type { RequestTrace, RunScript } from '../../observe/request-trace.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { parseConnectionString } from '../../postgres/connect/connection-string.ts';
import type { DatabaseLocation } from '../../serve/extension.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';

export interface TracingParts {
  readonly api: typeof Api;
  readonly tracer: Api.Tracer;
  readonly database: DatabaseAttributes;
  /** Told what the SDK, or a sampler or processor of the operator in it, has thrown. */
  readonly onFault: (error: unknown) => void;
}

export interface SpanTraceParts extends TracingParts {
  readonly span: Api.Span;
  /** Added to a time of the monotonic clock, gives milliseconds since the epoch. */
  readonly toEpoch: number;
  readonly target: TracedTarget;
}

/** The route is undefined if the request names nothing that the server knows. */
interface TracedTarget {
  readonly method: string;
  readonly route: string | undefined;
}

/** The transaction has a span of its own. */
const STAGES: Readonly<Record<Phase, string | undefined>> = {
  jwt: 'authenticate',
  parse: 'parse',
  plan: 'plan',
  transaction: undefined,
  response: 'respond',
};

export class SpanTrace implements RequestTrace {
  readonly traceparent: string;
  readonly onPhase: OnPhase | undefined;
  readonly #parts: SpanTraceParts;
  readonly #context: Api.Context;
  readonly #stages: { readonly name: string; readonly from: number; to: number }[] = [];

  constructor(parts: SpanTraceParts) {
    const { api, span } = parts;
    this.#parts = parts;
    this.#context = api.trace.setSpan(api.context.active(), span);
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceparent = `00-${traceId}-${spanId}-0${traceFlags & 1}`;
    this.onPhase = span.isRecording() ? this.#noteStage : undefined;
  }

  wrap(runScript: RunScript): RunScript {
    if (this.onPhase === undefined) return runScript;
    return async (script) => {
      const span = this.#attempt(() => this.#startTransaction(script));
      const result = await runScript(script);
      this.#attempt(() => {
        if (span !== undefined && !result.ok) this.#noteFailure(span, result.error);
        span?.end(this.#now());
      });
      return result;
    };
  }

  end(status: number, code: string | undefined): void {
    this.#attempt(() => this.#endSpans(status, code));
  }

  #endSpans(status: number, code: string | undefined): void {
    const { api, span, tracer, toEpoch } = this.#parts;
    for (const { name, from, to } of this.#stages)
      tracer.startSpan(name, { startTime: from + toEpoch }, this.#context).end(to + toEpoch);
    span.setAttribute('http.response.status_code', status);
    if (status >= 500) {
      span.setAttribute('error.type', code ?? String(status));
      span.setStatus({ code: api.SpanStatusCode.ERROR });
    }
    span.end(this.#now());
  }

  readonly #noteStage: OnPhase = (phase, from, to) => {
    const name = STAGES[phase];
    if (name === undefined) return;
    const last = this.#stages.at(-1);
    if (last?.name === name) last.to = to;
    else this.#stages.push({ name, from, to });
  };

  #startTransaction({ segments }: TransactionScript): Api.Span {
    const { api, tracer, database, target } = this.#parts;
    const { summary, ...attributes } = describeOperation(target, segments.length);
    return tracer.startSpan(
      summary ?? 'postgresql',
      {
        kind: api.SpanKind.CLIENT,
        startTime: this.#now(),
        attributes: {
          ...database,
          ...attributes,
          ...(summary === undefined ? {} : { 'db.query.summary': summary }),
          'db.query.text': joinTexts(segments),
        },
      },
      this.#context,
    );
  }

  #noteFailure(span: Api.Span, error: ApiError): void {
    const code = error.kind === 'database' ? error.report.sqlstate : undefined;
    if (code !== undefined) span.setAttribute('db.response.status_code', code);
    span.setAttribute('error.type', code ?? error.kind);
    span.setStatus({ code: this.#parts.api.SpanStatusCode.ERROR });
  }

  /** Only the trace of the request suffers from what is thrown, not the request: its write may be committed. */
  #attempt<Value>(record: () => Value): Value | undefined {
    try {
      return record();
    } catch (error) {
      this.#parts.onFault(error);
      return undefined;
    }
  }

  #now(): number {
    return performance.now() + this.#parts.toEpoch;
  }
}

/** Characters of SQL that a span keeps. An SDK holds thousands of spans until its collector has taken them. */
const MAX_TEXT_LENGTH = 16_384;

function joinTexts(segments: TransactionScript['segments']): string {
  let joined = '';
  for (const { main } of segments) {
    joined += joined === '' ? main.text : `; ${main.text}`;
    // A slice alone would keep the whole text in memory.
    if (joined.length > MAX_TEXT_LENGTH) return `${Buffer.from(joined.slice(0, MAX_TEXT_LENGTH)).toString()}…`;
  }
  return joined;
}

const OPERATIONS: Readonly<Record<string, string>> = {
  GET: 'SELECT',
  HEAD: 'SELECT',
  QUERY: 'SELECT',
  POST: 'INSERT',
  PUT: 'INSERT',
  PATCH: 'UPDATE',
  DELETE: 'DELETE',
};
const FUNCTION = '/rpc/';

interface Operation extends Api.Attributes {
  readonly summary: string | undefined;
}

/** Several segments are a batch of requests, or a request between the statements that make it safe to retry. */
function describeOperation({ method, route }: TracedTarget, segments: number): Operation {
  const batch = segments > 1 ? { 'db.operation.batch.size': segments } : {};
  const operation = OPERATIONS[method];
  if (route === undefined || route === '/' || operation === undefined) return { summary: undefined, ...batch };
  if (route.startsWith(FUNCTION)) {
    const name = route.slice(FUNCTION.length);
    return { summary: `SELECT ${name}`, 'db.operation.name': 'SELECT', 'db.stored_procedure.name': name, ...batch };
  }
  const relation = route.slice(1);
  const summary = `${operation} ${relation}`;
  return { summary, 'db.operation.name': operation, 'db.collection.name': relation, ...batch };
}

type DatabaseAttributes = Readonly<Record<string, string | number>>;

/**
 * The attributes of database spans that are the same for all of them. Leaves out what only a connection knows: which
 * of several hosts it reached.
 */
export function describeDatabase({ connectionString, environment }: DatabaseLocation): DatabaseAttributes {
  const parsed = parseConnectionString(connectionString);
  const valueOf = (name: string, variable: string): string | undefined =>
    (parsed.ok ? parsed.value.get(name) : undefined) ?? environment[variable];
  const host = valueOf('host', 'PGHOST');
  const port = Number(valueOf('port', 'PGPORT') ?? 5432);
  const database = valueOf('dbname', 'PGDATABASE');
  return {
    'db.system.name': 'postgresql',
    ...(database === undefined ? {} : { 'db.namespace': database }),
    ...(host === undefined || host.includes(',') ? {} : { 'server.address': host }),
    ...(host === undefined || Number.isNaN(port) ? {} : { 'server.port': port }),
  };
}

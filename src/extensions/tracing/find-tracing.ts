// Finds the tracing system of this process. OpenTelemetry's API is an optional package, which passes spans on to the SDK
// that the operator or the host application has loaded. Without either, requests are not traced.
import { createRequire } from 'node:module';
import type * as Api from '@opentelemetry/api';
import { firstHeader, type HeaderList, type HttpRequest } from '../../contract/http.ts';
import { describeCrash } from '../../observe/describe-crash.ts';
import { METHODS, nameRoute, OTHER } from '../../observe/request-metrics.ts';
import type { RequestTrace, RequestTracing, TracedRequest } from '../../observe/request-trace.ts';
import type { ServiceEnvironment } from '../../serve/extension.ts';
import { describeDatabase, SpanTrace, type TracingParts } from './span-trace.ts';

type TracingEnvironment = Pick<ServiceEnvironment, 'product' | 'connection' | 'observe'>;

/** Looks for an SDK once: load it before the server starts, for example with `node --import`. */
export function findTracing({ product, connection, observe }: TracingEnvironment): RequestTracing | undefined {
  const { token, version } = product;
  const api = loadApi();
  if (api === undefined) return undefined;
  const provider = api.trace.getTracerProvider();
  // The API's own provider stands for an SDK that may be loaded later, and has a delegate once it is.
  const tracer = isProxy(provider) ? provider.getDelegateTracer(token, version) : provider.getTracer(token, version);
  const onFault = (error: unknown): void => observe({ kind: 'handlerCrashed', reason: describeCrash(error) });
  return tracer && new SpanTracing({ api, tracer, database: describeDatabase(connection), onFault });
}

/** There may be several copies of the package, so this does not ask for the class. */
export function isProxy(provider: Api.TracerProvider): provider is Api.ProxyTracerProvider {
  return 'getDelegateTracer' in provider;
}

/** @returns undefined if the package is not installed */
export function loadApi(): typeof Api | undefined {
  try {
    const load: (name: '@opentelemetry/api') => typeof Api = createRequire(import.meta.url);
    return load('@opentelemetry/api');
  } catch {
    return undefined;
  }
}

/** Records requests as spans with the semantic conventions of OpenTelemetry for HTTP servers. */
class SpanTracing implements RequestTracing {
  readonly #parts: TracingParts;
  readonly #getter: Api.TextMapGetter<HeaderList> = {
    get: (headers, key) => firstHeader(headers, key.toLowerCase()),
    keys: (headers) => headers.map(([name]) => name),
  };

  #hasFailed = false;

  constructor(parts: TracingParts) {
    this.#parts = { ...parts, onFault: (error) => this.#reportFirst(error, parts.onFault) };
  }

  begin(traced: TracedRequest): RequestTrace | undefined {
    try {
      return this.#begin(traced);
    } catch (error) {
      this.#parts.onFault(error);
      return undefined;
    }
  }

  /** Every request could fail in the same way. */
  #reportFirst(error: unknown, report: (error: unknown) => void): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    report(error);
  }

  #begin(traced: TracedRequest): RequestTrace {
    const { api, tracer } = this.#parts;
    const { request, start } = traced;
    const route = nameRoute(request.path, traced);
    const known = route === OTHER ? undefined : route;
    const method = METHODS.has(request.method) ? request.method : 'HTTP';
    const toEpoch = Date.now() - performance.now();
    const span = tracer.startSpan(
      known === undefined ? method : `${method} ${known}`,
      { kind: api.SpanKind.SERVER, startTime: start + toEpoch, attributes: describeRequest(traced, known) },
      this.#findParent(request),
    );
    return new SpanTrace({ ...this.#parts, span, toEpoch, target: { method, route: known } });
  }

  /** A host application may have a span for the request already. */
  #findParent({ headers }: HttpRequest): Api.Context {
    const { api } = this.#parts;
    const active = api.context.active();
    return api.trace.getSpan(active) === undefined ? api.propagation.extract(active, headers, this.#getter) : active;
  }
}

function describeRequest({ request, client }: TracedRequest, route: string | undefined): Api.Attributes {
  const { method, path, rawQuery, headers, mount } = request;
  const isKnown = METHODS.has(method);
  const userAgent = firstHeader(headers, 'user-agent');
  return {
    'http.request.method': isKnown ? method : '_OTHER',
    ...(isKnown ? {} : { 'http.request.method_original': method }),
    ...(route === undefined ? {} : { 'http.route': (mount?.basePath ?? '') + route }),
    'url.path': (mount?.basePath ?? '') + path,
    ...(rawQuery === '' ? {} : { 'url.query': rawQuery }),
    'url.scheme': mount?.origin.startsWith('https:') === true ? 'https' : 'http',
    'network.protocol.version': client.httpVersion,
    ...(client.address === undefined
      ? {}
      : { 'client.address': client.address, 'network.peer.address': client.address }),
    ...describeHost(firstHeader(headers, 'host') ?? ''),
    ...(userAgent === undefined ? {} : { 'user_agent.original': userAgent }),
  };
}

function describeHost(host: string): Api.Attributes {
  const { address, port } = /^(?<address>\[.*\]|[^:]+)(?::(?<port>\d+))?$/u.exec(host)?.groups ?? {};
  if (address === undefined) return {};
  return { 'server.address': address, ...(port === undefined ? {} : { 'server.port': Number(port) }) };
}

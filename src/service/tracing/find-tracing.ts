// Finds the tracing system of this process. OpenTelemetry's API is an optional package, which passes spans on to the SDK
// that the operator or the host application has loaded. Without either, requests are not traced.
import { createRequire } from 'node:module';
import type * as Api from '@opentelemetry/api';
import type { Product } from '../../contract/product.ts';
import type { RequestTracing } from '../../observe/request-trace.ts';
import { type DatabaseLocation, describeDatabase } from './describe-database.ts';
import { SpanTracing } from './span-tracing.ts';

/** Looks for an SDK once: load it before the server starts, for example with `node --import`. */
export function findTracing({ token, version }: Product, database: DatabaseLocation): RequestTracing | undefined {
  const api = loadApi();
  if (api === undefined) return undefined;
  const provider = api.trace.getTracerProvider();
  // The API's own provider stands for an SDK that may be loaded later, and has a delegate once it is.
  const tracer = isProxy(provider) ? provider.getDelegateTracer(token, version) : provider.getTracer(token, version);
  return tracer && new SpanTracing({ api, tracer, database: describeDatabase(database) });
}

/** There may be several copies of the package, so this does not ask for the class. */
function isProxy(provider: Api.TracerProvider): provider is Api.ProxyTracerProvider {
  return 'getDelegateTracer' in provider;
}

function loadApi(): typeof Api | undefined {
  try {
    const load: (name: '@opentelemetry/api') => typeof Api = createRequire(import.meta.url);
    return load('@opentelemetry/api');
  } catch {
    return undefined;
  }
}

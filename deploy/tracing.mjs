// Sends the spans of Rowhouse to an OpenTelemetry collector. Install the packages beside Rowhouse and load this file
// before the server, which sends the last spans when SIGTERM or SIGINT ends it:
//
//   npm install @opentelemetry/{api,exporter-trace-otlp-http,resources,sdk-trace-node}
//   export OTEL_SERVICE_NAME=my-api OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318
//   NODE_OPTIONS='--import ./tracing.mjs' npx rowhouse
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

// Reads OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.
const resource = defaultResource().merge(detectResources({ detectors: [envDetector] }));
const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
const provider = new NodeTracerProvider({ resource, spanProcessors });
provider.register();

// Runs the server until a signal arrives or a fatal error occurs.
import type { Result } from '../contract/result.ts';
import { LineOutput } from '../service/logging/line-output.ts';
import { createConfigReader } from '../service/configuration/read-config.ts';
import { endStartOfYoungGeneration } from '../service/supervision/young-generation.ts';
import { describeCrash } from '../observe/describe-crash.ts';
import { flushExtensions } from './extensions.ts';
import { RowhouseServer, type RowhouseServerOptions } from './rowhouse-server.ts';
import type { ProcessSignals } from './process-signals.ts';
import type { ServePlan } from './serve-plan.ts';

export interface ServeDependencies {
  readonly hasRuntimeMetrics: boolean;
  readonly signals: ProcessSignals;
}

/** @param plan its error is a message for the user */
export async function serve(plan: Result<ServePlan, string>, dependencies: ServeDependencies): Promise<never> {
  const code = plan.ok ? await serveUntilEnd(plan.value, dependencies) : refuse(plan.error);
  if (plan.ok) await plan.value.onEnded();
  // Abandoned connection attempts may still keep the event loop alive.
  process.exit(code);
}

function refuse(message: string): 1 {
  process.stderr.write(`${message}\n`);
  return 1;
}

async function serveUntilEnd(plan: ServePlan, { hasRuntimeMetrics, signals }: ServeDependencies): Promise<number> {
  const readConfig = createConfigReader(plan.location);
  const config = readConfig(new Map(), undefined);
  if (!config.ok) return refuse(config.error.message);
  const output = new LineOutput(process.stdout, process.stderr);
  const options = {
    config: config.value,
    readConfig,
    environment: process.env,
    output,
    hasRuntimeMetrics,
    console: plan.console,
    routes: plan.routes,
    guard: plan.guard,
  };
  const code = await runServer(options, plan, output, signals);
  output.flush();
  await flushExtensions();
  return code;
}

async function runServer(
  options: Omit<RowhouseServerOptions, 'onFatal'>,
  plan: ServePlan,
  output: LineOutput,
  signals: ProcessSignals,
): Promise<number> {
  let onFatal = (): void => {};
  const failure = new Promise<undefined>((resolve) => (onFatal = () => resolve(undefined)));
  const server = new RowhouseServer({
    ...options,
    onFatal,
    onSchemaLoaded: (startedAt) => plan.onSchemaLoaded(startedAt),
  });
  const { service } = server;
  const reportCrash = (error: unknown): void =>
    service.logger.observe({ kind: 'handlerCrashed', reason: describeCrash(error) });
  // An error thrown outside request handling affects one connection; the others continue.
  process.on('uncaughtException', reportCrash);
  process.on('unhandledRejection', reportCrash);
  signals.setHandler({
    reloadSchemaCache: () => void service.reloadSchemaCache(),
    reloadConfig: () => void service.reloadConfig(),
  });
  const start = server.start().then(() => {
    endStartOfYoungGeneration();
    const text = server.apiAddress === undefined ? undefined : plan.onListening(server);
    if (text === undefined) return;
    // The banner goes below the log lines of the start.
    output.flush();
    process.stdout.write(`${text}\n`);
  });
  start.catch((error: unknown) => {
    reportCrash(error);
    onFatal();
  });
  const signal = await Promise.race([signals.end, failure]);
  if (signal === undefined) return 1;
  service.logger.observe({ kind: 'signalReceived', signal });
  plan.onEnding?.();
  await server.stop();
  return 0;
}

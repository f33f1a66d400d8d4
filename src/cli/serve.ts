// The command without a name: serves until a signal comes, or a failure that no retry can mend.
import { renderEmbeddedError } from '../embedded/embedded-error.ts';
import { type Demo, startDemo } from '../embedded/start-demo.ts';
import { LineOutput } from '../runtime/logging/line-output.ts';
import { type ConfigLocation, createConfigReader } from '../runtime/configuration/read-config.ts';
import { describeCrash } from '../server/api-handler.ts';
import { RowhouseServer, type RowhouseServerOptions } from '../server/rowhouse-server.ts';
import type { Command } from './command.ts';
import { describeDemo, hasOwnDatabase, locateDemo } from './demo.ts';
import type { ProcessSignals } from './process-signals.ts';

type ServeCommand = Extract<Command, { readonly kind: 'serve' }>;

export async function serve(command: ServeCommand, location: ConfigLocation, signals: ProcessSignals): Promise<never> {
  const demo = command.isDemo && !hasOwnDatabase(location) ? await openDemo() : undefined;
  const code =
    demo === 'failed' ? 1 : await serveUntilEnd({ ...command, location: locateDemo(demo, location) }, demo, signals);
  if (demo !== 'failed') await demo?.stop();
  // An attempt to connect that was given up may still be under way.
  process.exit(code);
}

async function openDemo(): Promise<Demo | 'failed'> {
  const demo = await startDemo();
  if (demo.ok) return demo.value;
  process.stderr.write(`${renderEmbeddedError(demo.error)}\n`);
  return 'failed';
}

interface LocatedCommand extends ServeCommand {
  readonly location: ConfigLocation;
}

async function serveUntilEnd(
  { location, hasRuntimeMetrics }: LocatedCommand,
  demo: Demo | undefined,
  signals: ProcessSignals,
): Promise<number> {
  const readConfig = createConfigReader(location);
  const config = readConfig(new Map(), undefined);
  if (!config.ok) {
    process.stderr.write(`${config.error.message}\n`);
    return 1;
  }
  const output = new LineOutput(process.stdout, process.stderr);
  const options = { config: config.value, readConfig, environment: process.env, output, hasRuntimeMetrics };
  const code = await runServer(options, { demo, output }, signals);
  output.flush();
  return code;
}

async function runServer(
  options: Omit<RowhouseServerOptions, 'onFatal'>,
  { demo, output }: { readonly demo: Demo | undefined; readonly output: LineOutput },
  signals: ProcessSignals,
): Promise<number> {
  let onFatal = (): void => {};
  const failure = new Promise<undefined>((resolve) => (onFatal = () => resolve(undefined)));
  const server = new RowhouseServer({ ...options, onFatal });
  const { service } = server;
  const reportCrash = (error: unknown): void =>
    service.logger.observe({ kind: 'handlerCrashed', reason: describeCrash(error) });
  // What is thrown outside a request's own way belongs to one connection; the others go on.
  process.on('uncaughtException', reportCrash);
  process.on('unhandledRejection', reportCrash);
  signals.tell({
    reloadSchemaCache: () => service.reloadSchemaCache(),
    reloadConfig: () => void service.reloadConfig(),
  });
  const start = server.start().then(() => {
    if (demo === undefined || server.apiAddress === undefined) return;
    // What the log has to say of the start goes above the banner.
    output.flush();
    process.stdout.write(`${describeDemo(demo, server)}\n`);
  });
  start.catch((error: unknown) => {
    reportCrash(error);
    onFatal();
  });
  const signal = await Promise.race([signals.end, failure]);
  if (signal === undefined) return 1;
  service.logger.observe({ kind: 'signalReceived', signal });
  await server.stop();
  return 0;
}

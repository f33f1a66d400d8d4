// Runs a command and returns the exit code (`operating.md` §2). Imports the modules of a command only when it runs.
import { type Dialect, DIALECTS, SVC_DIALECT } from '../contract/dialect.ts';
import type { ConfigLocation } from '../service/configuration/read-config.ts';
import type { CommandOf, Invocation } from './arguments/command.ts';
import { locateConfig } from './configuration/locate-config.ts';
import type { ProcessSignals } from './serve/process-signals.ts';

/** @param signals already caught if the command serves */
export async function runCommand({ command, config }: Invocation, signals: ProcessSignals): Promise<number> {
  const dialect = config.dialect === undefined ? SVC_DIALECT : DIALECTS[config.dialect];
  const location = locateConfig(config, process.env);
  switch (command.kind) {
    case 'help':
      return printHelp(command, dialect);
    case 'version':
      return print((await import('./help.ts')).renderVersion());
    case 'example':
      return printExample(command, dialect);
    case 'configSchema':
      return printConfigSchema(dialect);
    case 'completion':
      return print((await import('./completion.ts')).renderCompletion(command.shell));
    case 'dumpConfig':
      return (await import('./dump.ts')).dumpConfig(location);
    case 'dumpSchema':
      return (await import('./dump.ts')).dumpSchema(location);
    case 'types':
      return (await import('./dump.ts')).dumpTypes(location, command);
    case 'ready':
      return reportReadiness(location);
    case 'doctor':
      return (await import('./doctor/examine.ts')).examine(command, location);
    case 'init':
      return (await import('./init/initialize.ts')).initialize(command);
    case 'token':
      return (await import('./token/issue-token.ts')).issueToken(command, location);
    case 'loadSql':
      return (await import('./load-sql.ts')).loadSql(command);
    case 'serve':
      return serveDatabase(command, location, signals);
    case 'dev':
      return serveForDevelopment(command, location, signals);
  }
}

/** Returns whether the stream is a terminal with colors that `NO_COLOR` does not disable. */
function supportsColor(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && stream.hasColors();
}

async function printHelp({ about }: CommandOf<'help'>, dialect: Dialect): Promise<0> {
  const { renderHelp } = await import('./help.ts');
  return print(renderHelp(about, { dialect, isColored: supportsColor(process.stdout) }));
}

async function printExample({ format }: CommandOf<'example'>, dialect: Dialect): Promise<0> {
  const examples = await import('../config/print/example.ts');
  const render = {
    file: examples.renderExampleFile,
    environment: examples.renderExampleEnvironment,
    database: examples.renderExampleDatabase,
  }[format];
  return print(render(dialect));
}

async function printConfigSchema(dialect: Dialect): Promise<0> {
  const { buildConfigSchema } = await import('../config/print/json-schema.ts');
  return print(`${JSON.stringify(buildConfigSchema(dialect), undefined, 2)}\n`);
}

async function serveDatabase(
  command: CommandOf<'serve'>,
  location: ConfigLocation,
  signals: ProcessSignals,
): Promise<never> {
  const [{ planServe }, { serve }] = await Promise.all([import('./serve/plan-serve.ts'), import('./serve/serve.ts')]);
  return serve(await planServe(command, location), { hasRuntimeMetrics: command.hasRuntimeMetrics, signals });
}

async function serveForDevelopment(
  command: CommandOf<'dev'>,
  location: ConfigLocation,
  signals: ProcessSignals,
): Promise<never> {
  const [{ planDev }, { serve }] = await Promise.all([import('./serve/plan-dev.ts'), import('./serve/serve.ts')]);
  return serve(await planDev(command, location), { hasRuntimeMetrics: false, signals });
}

function print(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

function printError(text: string): 1 {
  process.stderr.write(`${text}\n`);
  return 1;
}

async function reportReadiness(location: ConfigLocation): Promise<number> {
  const [{ createConfigReader }, { checkReady }, { reportConfigProblems }] = await Promise.all([
    import('../service/configuration/read-config.ts'),
    import('./ready.ts'),
    import('./configuration/report-config-problems.ts'),
  ]);
  const config = createConfigReader({ ...location, isLenient: true })(new Map(), undefined);
  if (!config.ok) return printError(config.error.message);
  reportConfigProblems(config.value);
  const { stream, text, exitCode } = await checkReady(config.value);
  process[stream].write(`${text}\n`);
  return exitCode;
}

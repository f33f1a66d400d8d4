// Runs a command and returns the exit code (`operating.md` §2). Imports the modules of a command only when it runs.
import path from 'node:path';
import { type Dialect, SVC_DIALECT, DIALECTS } from '../src/contract/dialect.ts';
import { fail, ok, type Result } from '../src/contract/result.ts';
import { type ConfigLocation, overrideOptions } from '../src/service/configuration/read-config.ts';
import type { CommandOf, Invocation, CommandLineConfig } from './command-line/command.ts';
import { suggestCommand } from './command-line/commands.ts';
import { isFolder, isProjectFolder } from './command-line/is-folder.ts';
import type { ProcessSignals } from '../src/server/process-signals.ts';
import { appSettingKey } from '../src/config/resolve/app-settings.ts';
import { environmentName } from '../src/config/table/option.ts';

/** @param signals already caught if the command serves */
export async function runCommand({ command, config }: Invocation, signals: ProcessSignals): Promise<number> {
  const location = { ...locateConfig(config, process.env), fileHint: describeFileHint(config.file) };
  switch (command.kind) {
    case 'help':
      return printHelp(command, location);
    case 'version':
      return print((await import('./command-line/help.ts')).renderVersion());
    case 'completion':
      return print((await import('./command-line/completion.ts')).renderCompletion(command.shell));
    case 'example':
      return printExample(command, location);
    case 'configSchema':
      return printConfigSchema(location);
    case 'dumpConfig':
      return (await import('./inspect/dump.ts')).dumpConfig(location);
    case 'dumpSchema':
      return (await import('./inspect/dump.ts')).dumpSchema(location);
    case 'types':
      return printTypes(command, location);
    case 'ready':
      return reportReadiness(location);
    case 'doctor':
      return withSystemErrors(async () => (await import('./check/examine.ts')).examine(command, location), 2);
    case 'token':
      return issueToken(command, location);
    case 'mcp':
      return (await import('./mcp/serve-agent.ts')).serveAgent(command, location);
    case 'init':
      return (await import('./init/initialize.ts')).initialize(command);
    case 'compare':
      return (await import('./compare/compare-servers.ts')).reportComparison(command);
    case 'check':
      return withSystemErrors(async () => (await import('./check/run-check.ts')).check(command), 3);
    case 'mutate':
      return withSystemErrors(async () => (await import('./check/run-mutants.ts')).runMutants(command), 3);
    case 'new':
      return withSystemErrors(async () => (await import('./new/write-project.ts')).createProject(command), 2);
    case 'diff':
      return withSystemErrors(async () => (await import('./diff/run-diff.ts')).diff(command), 2);
    case 'migrate':
      return withSystemErrors(async () => (await import('./migrate/run-migrate.ts')).migrate(command), 2);
    case 'deploy':
      return withSystemErrors(async () => (await import('./deploy/run-deploy.ts')).deploy(command), 2);
    case 'loadSql':
      return withSystemErrors(() => runSql(command), 1);
    case 'serve':
      return serveDatabase(command, location, signals);
    case 'dev':
      return serveForDevelopment(command, location, signals);
  }
}

async function printTypes(command: CommandOf<'types'>, location: ConfigLocation): Promise<number> {
  const project = findProject(location.file);
  if (!project.ok) return printError(project.error);
  if (project.value !== undefined && (location.file !== undefined || !(await isDatabaseGiven(location))))
    return (await import('./check/project-types.ts')).printProjectTypes(project.value, command);
  return (await import('./inspect/dump.ts')).dumpTypes(location, command);
}

/** A database that is named for the server is meant even in the folder of a project. */
async function isDatabaseGiven(location: ConfigLocation): Promise<boolean> {
  const [{ createConfigReader }, { namesDatabase }] = await Promise.all([
    import('../src/service/configuration/read-config.ts'),
    import('./support/configuration.ts'),
  ]);
  const config = createConfigReader({ ...location, isLenient: true })(new Map(), undefined);
  // The command reports a configuration that cannot be read.
  return !config.ok || namesDatabase(config.value, location);
}

/** In the folder of a project that `dev` serves, its key signs unless another one is configured. */
async function issueToken(command: CommandOf<'token'>, location: ConfigLocation): Promise<number> {
  const running = isProjectFolder('.')
    ? (await import('./project/folder/running-dev.ts')).readRunningDev(process.cwd())
    : undefined;
  const defaults = running?.key === undefined ? {} : { 'jwt-secret': running.key };
  const { issueToken: issue } = await import('./token/issue-token.ts');
  return issue(command, { ...location, defaults: { ...location.defaults, ...defaults } });
}

/** In the folder of a project, its database is meant unless another one is named. */
async function runSql({ kind, file, database }: CommandOf<'loadSql'>): Promise<number> {
  if (database === undefined && isProjectFolder('.'))
    return (await import('./project/dev/open-sql.ts')).openProjectSql(process.cwd(), file);
  if (file !== undefined) return (await import('./demo/load-user-sql.ts')).loadSql({ kind, file, database });
  return printError(
    'This is not the folder of a project. Name a file to run in the database of the demo: sql FILE.sql',
  );
}

/** Reports a file that cannot be read or written, such as one in a folder of another user. @param failed exit code */
async function withSystemErrors(run: () => Promise<number>, failed: number): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    printError(error.message);
    return failed;
  }
}

/** Explains how a word came to be read as the name of a file. */
function describeFileHint(file: string | undefined): string | undefined {
  if (file === undefined || !/^[\w-]+$/u.test(file)) return undefined;
  const suggestion = suggestCommand(file);
  return suggestion === undefined
    ? 'an unknown command is taken as the name of a configuration file, see `rowhouse --help`'
    : `did you mean the command ${suggestion}?`;
}

/** Help uses the default names if the dialect cannot be read. */
async function printHelp({ about }: CommandOf<'help'>, location: ConfigLocation): Promise<0> {
  const [{ renderHelp }, { readDialect }] = await Promise.all([
    import('./command-line/help.ts'),
    import('../src/service/configuration/read-config.ts'),
  ]);
  const chosen = readDialect(location);
  const dialect = chosen.ok ? chosen.value : SVC_DIALECT;
  // `NO_COLOR` disables colors.
  return print(renderHelp(about, { dialect, isColored: process.stdout.isTTY && process.stdout.hasColors() }));
}

/** Prints a text that depends on the dialect. */
async function printInDialect(location: ConfigLocation, render: (dialect: Dialect) => string): Promise<number> {
  const { readDialect } = await import('../src/service/configuration/read-config.ts');
  const dialect = readDialect(location);
  return dialect.ok ? print(render(dialect.value)) : printError(dialect.error.message);
}

async function printExample({ format }: CommandOf<'example'>, location: ConfigLocation): Promise<number> {
  const examples = await import('./inspect/example.ts');
  const render = {
    file: examples.renderExampleFile,
    environment: examples.renderExampleEnvironment,
    database: examples.renderExampleDatabase,
  }[format];
  return printInDialect(location, render);
}

async function printConfigSchema(location: ConfigLocation): Promise<number> {
  const { buildConfigSchema } = await import('./inspect/json-schema.ts');
  return printInDialect(location, (dialect) => `${JSON.stringify(buildConfigSchema(dialect), undefined, 2)}\n`);
}

async function serveDatabase(
  command: CommandOf<'serve'>,
  location: ConfigLocation,
  signals: ProcessSignals,
): Promise<never> {
  const [{ serve }, { createDatabasePlan }] = await Promise.all([
    import('../src/server/serve.ts'),
    import('../src/server/serve-plan.ts'),
  ]);
  const plan =
    command.demo === 'off'
      ? ok(createDatabasePlan(location))
      : await (await import('./demo/serve-demo.ts')).planServe(command, location);
  return serve(plan, { hasRuntimeMetrics: command.hasRuntimeMetrics, signals });
}

async function serveForDevelopment(
  command: CommandOf<'dev'>,
  location: ConfigLocation,
  signals: ProcessSignals,
): Promise<number> {
  const { serve } = await import('../src/server/serve.ts');
  const project = findProject(location.file);
  if (!project.ok) return refuseProject(project.error);
  if (project.value === undefined) {
    const { planDev } = await import('./dev/plan-dev.ts');
    return serve(await planDev(command, location), { hasRuntimeMetrics: false, signals });
  }
  const { planProject } = await import('./project/dev/plan-project.ts');
  const { createSaveCheck } = await import('./check/check-saved.ts');
  const plan = await planProject(command, project.value, location, createSaveCheck(project.value));
  return plan.ok ? serve(plan, { hasRuntimeMetrics: false, signals }) : refuseProject(plan.error);
}

/** Ends with the exit code of what could not run (`project.md` §7). */
function refuseProject(message: string): never {
  printError(message);
  // Abandoned connection attempts may still keep the event loop alive.
  process.exit(2);
}

/** @returns the folder of SQL files that the command means (`project.md` §1 item 1); undefined: it serves a database */
function findProject(operand: string | undefined): Result<string | undefined, string> {
  const folder = operand ?? '.';
  if (!isFolder(folder)) return ok(undefined);
  if (isProjectFolder(folder)) return ok(path.resolve(folder));
  if (operand !== undefined)
    return fail(`The folder ${operand} has no schema/. Create it, with files such as schema/tables.sql.`);
  return ok(undefined);
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
    import('../src/service/configuration/read-config.ts'),
    import('./inspect/ready.ts'),
    import('./support/configuration.ts'),
  ]);
  const config = createConfigReader({ ...location, isLenient: true })(new Map(), undefined);
  if (!config.ok) return printError(config.error.message);
  reportConfigProblems(config.value);
  const { stream, text, exitCode } = await checkReady(config.value);
  process[stream].write(`${text}\n`);
  return exitCode;
}

const SETTINGS = appSettingKey('');

function locateConfig(
  { file, dialect, options }: CommandLineConfig,
  environment: ConfigLocation['environment'],
): ConfigLocation {
  const location = { file, dialect, environment: dropSettings(environment, Object.keys(options)) };
  return overrideOptions(location, options);
}

/** Removes environment variables of application settings that flags override, ignoring case. */
function dropSettings(environment: ConfigLocation['environment'], options: readonly string[]): typeof environment {
  const settings = options.filter((name) => name.startsWith(SETTINGS)).map((name) => name.slice(SETTINGS.length));
  const dropped = new Set(
    Object.values(DIALECTS).flatMap(({ environmentPrefix }) =>
      settings.map((name) => (environmentName('app-settings-', environmentPrefix) + name).toLowerCase()),
    ),
  );
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !dropped.has(name.toLowerCase())));
}

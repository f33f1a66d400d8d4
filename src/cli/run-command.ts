// A command → what it prints, and the exit code of the process (`operating.md` §2).
import { renderExampleDatabase, renderExampleEnvironment, renderExampleFile } from '../config/example.ts';
import { buildConfigSchema } from '../config/json-schema.ts';
import { type Dialect, DIALECTS, SVC_DIALECT } from '../contract/dialect.ts';
import { type ConfigLocation, createConfigReader } from '../runtime/configuration/read-config.ts';
import type { CommandOf, Invocation } from './command.ts';
import { renderCompletion } from './completion.ts';
import { examine } from './doctor/examine.ts';
import { initialize } from './init/initialize.ts';
import { dumpConfig, dumpSchema, dumpTypes } from './dump.ts';
import { renderHelp, renderVersion } from './help.ts';
import { loadSql } from './load-sql.ts';
import { locateConfig } from './locate-config.ts';
import type { ProcessSignals } from './process-signals.ts';
import { checkReady } from './ready.ts';
import { serve } from './serve.ts';
import { planDev } from './plan-dev.ts';
import { planServe } from './plan-serve.ts';
import { tellComplaints } from './tell-complaints.ts';
import { issueToken } from './token/issue-token.ts';

/** @param signals caught where the command is to serve */
export async function runCommand({ command, config }: Invocation, signals: ProcessSignals): Promise<number> {
  const dialect = config.dialect === undefined ? SVC_DIALECT : DIALECTS[config.dialect];
  const location = locateConfig(config, process.env);
  switch (command.kind) {
    case 'help':
      return print(renderHelp(command.about, { dialect, isColoured: isColourful(process.stdout) }));
    case 'version':
      return print(renderVersion());
    case 'example':
      return print(EXAMPLES[command.format](dialect));
    case 'configSchema':
      return print(`${JSON.stringify(buildConfigSchema(dialect), undefined, 2)}\n`);
    case 'completion':
      return print(renderCompletion(command.shell));
    case 'dumpConfig':
      return dumpConfig(location);
    case 'dumpSchema':
      return dumpSchema(location);
    case 'types':
      return dumpTypes(location, command);
    case 'ready':
      return reportReadiness(location);
    case 'doctor':
      return examine(command, location);
    case 'init':
      return initialize(command);
    case 'token':
      return issueToken(command, location);
    case 'loadSql':
      return loadSql(command);
    case 'serve':
      return serve(await planServe(command, location), { hasRuntimeMetrics: command.hasRuntimeMetrics, signals });
    case 'dev':
      return serve(await planDev(command, location), { hasRuntimeMetrics: false, signals });
  }
}

/** Whether the stream is a terminal with colours, and the user has nothing against them (`NO_COLOR`). */
function isColourful(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && stream.hasColors();
}

const EXAMPLES: Readonly<Record<CommandOf<'example'>['format'], (dialect: Dialect) => string>> = {
  file: renderExampleFile,
  environment: renderExampleEnvironment,
  database: renderExampleDatabase,
};

function print(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

function printError(text: string): 1 {
  process.stderr.write(`${text}\n`);
  return 1;
}

async function reportReadiness(location: ConfigLocation): Promise<number> {
  const config = createConfigReader({ ...location, isForgiving: true })(new Map(), undefined);
  if (!config.ok) return printError(config.error.message);
  tellComplaints(config.value);
  const { stream, text, exitCode } = await checkReady(config.value);
  process[stream].write(`${text}\n`);
  return exitCode;
}

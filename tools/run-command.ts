// Runs a command where its configuration is (`operating.md` §2).
import { appSettingKey } from '../src/config/resolve/app-settings.ts';
import { environmentName } from '../src/config/table/option.ts';
import { DIALECTS } from '../src/contract/dialect.ts';
import type { ProcessSignals } from '../src/server/process-signals.ts';
import { type ConfigLocation, overrideOptions } from '../src/service/configuration/read-config.ts';
import { type CommandLineConfig, type Program, suggestCommand } from './command-line/command.ts';
import type { Invocation } from './command-line/invocation.ts';
import { printError } from './command-line/print.ts';

/** @param signals already caught if the command serves. @returns the exit code */
export async function runCommand(
  program: Program,
  { command, config, serving, run }: Invocation,
  signals: ProcessSignals,
): Promise<number> {
  const location = { ...locateConfig(config, process.env), fileHint: describeFileHint(program, config.file) };
  try {
    return await run({ program, location, signals });
  } catch (error) {
    // A file that cannot be read or written, such as one in a folder of another user.
    const isReported = error instanceof Error && 'syscall' in error && serving === undefined;
    if (!isReported || command.failure === undefined) throw error;
    printError(error.message);
    return command.failure;
  }
}

/** Explains how a word came to be read as the name of a file. */
function describeFileHint(program: Program, file: string | undefined): string | undefined {
  if (file === undefined || !/^[\w-]+$/u.test(file)) return undefined;
  const suggestion = suggestCommand(program, file);
  return suggestion === undefined
    ? 'an unknown command is taken as the name of a configuration file, see `rowhouse --help`'
    : `did you mean the command ${suggestion}?`;
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

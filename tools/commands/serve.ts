// The command without a name: serves a database, or prints something that a flag asks for.
import type { Dialect } from '../../src/contract/dialect.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';
import { type Command, defineCommand, HELP, type RunContext, SOURCE } from '../command-line/command.ts';
import { print, printError } from '../command-line/print.ts';

type Options =
  | { readonly kind: 'version' | 'configSchema' | 'dumpConfig' | 'dumpSchema' | 'ready' }
  | { readonly kind: 'example'; readonly format: 'file' | 'environment' | 'database' }
  | ServeOptions;

interface ServeOptions {
  readonly kind: 'serve';
  /** `default`: neither arguments nor environment specify a database to serve. */
  readonly demo: 'requested' | 'default' | 'off';
  readonly hasRuntimeMetrics: boolean;
}

export const serve: Command = defineCommand({
  name: undefined,
  operands: SOURCE,
  doc: 'Serve the database given by the URI, or by the file and the environment',
  flags: {
    ...HELP,
    '-v, --version': 'Show the version',
    '--demo': 'Serve the demo from an embedded database',
    '-e, --example': 'Show an example configuration file',
    '--example-file': 'Same as --example',
    '--example-env': 'Show an example configuration as environment variables',
    '--example-db': 'Show an example configuration as settings in the database',
    '--config-schema': 'Show a JSON Schema of the configuration',
    '--dump-config': 'Show the effective configuration, secrets included',
    '--dump-schema': 'Load the schema cache and show it as JSON',
    '--ready': 'Check with the admin server of a running instance whether it is ready',
    '--runtime-metrics': 'Add Node.js runtime metrics to the metrics of the admin server',
  },
  isConfigured: true,
  read({ has }, { config, isUnconfigured }): Result<Options, string> {
    if (has('version')) return ok({ kind: 'version' });
    if (has('example') || has('example-file')) return ok({ kind: 'example', format: 'file' });
    if (has('example-env')) return ok({ kind: 'example', format: 'environment' });
    if (has('example-db')) return ok({ kind: 'example', format: 'database' });
    if (has('config-schema')) return ok({ kind: 'configSchema' });
    const [mode, ...others] = (['dump-config', 'dump-schema', 'ready'] as const).filter(has);
    if (others.length > 0)
      return fail(`Specify only one of ${[mode, ...others].map((name) => `--${name}`).join(', ')}`);
    if (mode !== undefined && has('demo')) return fail(`--demo cannot be combined with --${mode}`);
    if (mode === 'dump-config') return ok({ kind: 'dumpConfig' });
    if (mode === 'dump-schema') return ok({ kind: 'dumpSchema' });
    if (mode === 'ready') return ok({ kind: 'ready' });
    if (has('demo') && 'db-uri' in config.options)
      return fail('--demo uses its own database, so it cannot be combined with --db-uri or a URI');
    const demo = has('demo') ? 'requested' : isUnconfigured ? 'default' : 'off';
    return ok({ kind: 'serve', demo, hasRuntimeMetrics: has('runtime-metrics') });
  },
  findServing(options) {
    if (options.kind !== 'serve') return undefined;
    return options.demo === 'off' ? 'service' : 'interactive';
  },
  async run(options, context) {
    const { location } = context;
    switch (options.kind) {
      case 'version':
        return print((await import('../command-line/help.ts')).renderVersion());
      case 'example': {
        const examples = await import('../inspect/example.ts');
        const render = {
          file: examples.renderExampleFile,
          environment: examples.renderExampleEnvironment,
          database: examples.renderExampleDatabase,
        }[options.format];
        return printInDialect(location, render);
      }
      case 'configSchema': {
        const { buildConfigSchema } = await import('../inspect/json-schema.ts');
        return printInDialect(location, (dialect) => `${JSON.stringify(buildConfigSchema(dialect), undefined, 2)}\n`);
      }
      case 'dumpConfig':
        return (await import('../inspect/dump.ts')).dumpConfig(location);
      case 'dumpSchema':
        return (await import('../inspect/dump.ts')).dumpSchema(location);
      case 'ready':
        return reportReadiness(location);
      case 'serve':
        return serveDatabase(options, context);
    }
  },
});

/** Prints a text that depends on the dialect. */
async function printInDialect(location: ConfigLocation, render: (dialect: Dialect) => string): Promise<number> {
  const { readDialect } = await import('../../src/service/configuration/read-config.ts');
  const dialect = readDialect(location);
  return dialect.ok ? print(render(dialect.value)) : printError(dialect.error.message);
}

async function reportReadiness(location: ConfigLocation): Promise<number> {
  const [{ createConfigReader }, { checkReady }, { reportConfigProblems }] = await Promise.all([
    import('../../src/service/configuration/read-config.ts'),
    import('../inspect/ready.ts'),
    import('../support/configuration.ts'),
  ]);
  const config = createConfigReader({ ...location, isLenient: true })(new Map(), undefined);
  if (!config.ok) return printError(config.error.message);
  reportConfigProblems(config.value);
  const { stream, text, exitCode } = await checkReady(config.value);
  process[stream].write(`${text}\n`);
  return exitCode;
}

async function serveDatabase(
  { demo, hasRuntimeMetrics }: ServeOptions,
  { location, signals }: RunContext,
): Promise<never> {
  const [server, { createDatabasePlan }] = await Promise.all([
    import('../../src/server/serve.ts'),
    import('../../src/server/serve-plan.ts'),
  ]);
  const plan =
    demo === 'off'
      ? ok(createDatabasePlan(location))
      : await (await import('../demo/serve-demo.ts')).planServe(demo, location);
  return server.serve(plan, { hasRuntimeMetrics, signals });
}

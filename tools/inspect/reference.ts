// Renders the option table as `docs/configuration.md`, the reference for operators.
import type { Dialect } from '../../src/contract/dialect.ts';
import { environmentName, inDatabaseName, type OptionKey } from '../../src/config/table/option.ts';
import { OPTIONS, printDefault, PUBLIC_OPTION_KEYS } from '../../src/config/table/options.ts';

const GROUPS: readonly (readonly [title: string, prefixes: readonly string[]])[] = [
  ['Database', ['db']],
  ['Tokens', ['jwt']],
  ['HTTP', ['server', 'client', 'url', 'batch', 'nested', 'idempotency']],
  ['Live responses', ['events', 'live']],
  ['Admin server', ['admin']],
  ['API description', ['openapi']],
  ['Agents', ['mcp']],
  ['Logs', ['log']],
  ['Dialect and extensions', ['dialect', 'extensions']],
];

const HEAD = `| Option | Type | Default | Reload | In the database | What it does |
|---|---|---|---|---|---|
`;

export function renderReference(dialect: Dialect): string {
  const tables = GROUPS.map(([title, prefixes]) => {
    const keys = PUBLIC_OPTION_KEYS.filter((key) => prefixes.includes(OPTIONS[key].name.split('-')[0] ?? ''));
    return `## ${title}\n\n${HEAD}${keys.map((key) => renderRow(key, dialect)).join('')}`;
  });
  return `${renderIntroduction(dialect)}\n${tables.join('\n')}`;
}

function renderIntroduction({ environmentPrefix, settingsPrefix }: Dialect): string {
  const variable = environmentName('db-pool', environmentPrefix);
  const setting = settingsPrefix + inDatabaseName('db-schemas');
  return `# Configuration

An option is looked up in four places; the first one that sets it wins:

1. **The database**, if the table below names a setting and \`db-config\` is on: \`ALTER ROLE authenticator SET ${setting} = 'api, archive'\` for the role that the server logs in as, or \`set_config('${setting}', …, true)\` in the \`db-pre-config\` function.
2. **The command line**, by its name: \`--db-pool 20\`. See [command-line.md](command-line.md) for the other flags.
3. **The environment**, by its name in upper case with a prefix: \`db-pool\` is \`${variable}\`.
4. **The configuration file**, by its name: \`db-pool = 10\`. \`rowhouse --example\` prints a file to start from. In quoted values, write \`$$\` for a \`$\`; \`$(HOME)\` inserts the variable HOME.

For \`db-uri\` and \`server-port\`, the variables \`DATABASE_URL\` and \`PORT\` come last. If no source sets an option, its default applies. \`rowhouse --dump-config\` shows the effective configuration, including secrets. Options reload on SIGUSR2, on \`NOTIFY\` with the payload \`reload config\`, and whenever the schema cache loads; options marked *start* are read only at startup. The server refuses to start with an invalid value or an unknown option ([operations.md](operations.md#what-a-start-refuses)); a reload with such a mistake changes nothing and logs the reason.

In addition, the server passes each \`app.settings.<name>\` (in the environment \`${environmentPrefix}APP_SETTINGS_<name>\`) to every transaction, where \`current_setting('app.settings.<name>')\` reads it.
`;
}

function describeType({ label, schema }: (typeof OPTIONS)[OptionKey]['type']): string {
  const { minimum, maximum } = schema;
  if (minimum === undefined) return label;
  return maximum === undefined
    ? `${label}, ${JSON.stringify(minimum)} or more`
    : `${label}, ${JSON.stringify(minimum)} to ${JSON.stringify(maximum)}`;
}

function renderRow(key: OptionKey, dialect: Dialect): string {
  const { name, aliases = [], type, follows, isFixed, isInDatabase, doc } = OPTIONS[key];
  const older = aliases.map((alias) => `, formerly \`${alias}\``).join('');
  const text = printDefault(key, dialect);
  const standard = text === undefined || text === '' ? '' : `\`${text}\``;
  const cells = [
    `\`${name}\`${older}`,
    describeType(type),
    follows === undefined ? standard : `as \`${OPTIONS[follows].name}\``,
    isFixed ? 'start' : 'yes',
    isInDatabase ? `\`${dialect.settingsPrefix}${inDatabaseName(name)}\`` : '',
    doc.replaceAll('|', String.raw`\|`),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

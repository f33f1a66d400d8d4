// The option table as the reference for operators, `docs/configuration.md`, in Markdown.
import type { Dialect } from '../../contract/dialect.ts';
import { environmentName, inDatabaseName, type OptionKey } from '../table/option.ts';
import { OPTIONS, printDefault, PUBLIC_OPTION_KEYS } from '../table/options.ts';

const GROUPS: readonly (readonly [title: string, prefixes: readonly string[]])[] = [
  ['Database', ['db']],
  ['Tokens', ['jwt']],
  ['HTTP', ['server', 'client', 'url']],
  ['Admin server', ['admin']],
  ['API description', ['openapi']],
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

This file is made from the table of options by \`npm run docs:config\`; edit \`src/config/options-*.ts\` instead.

An option is looked up in four places, and the first that mentions it wins:

1. **In the database**, where the table says so and \`db-config\` is on: \`ALTER ROLE gate SET ${setting} = 'api, archive'\` for the role that the server logs in as, or \`set_config('${setting}', …, true)\` in the function of \`db-pre-config\`.
2. **The command line**, by its name: \`--db-pool 20\`. [command-line.md](command-line.md) has the other flags.
3. **The environment**, by its name in capitals: \`db-pool\` is \`${variable}\`.
4. **The configuration file**, by its name: \`db-pool = 10\`. \`rowhouse --example\` prints one to start from. A \`$\` in a quoted value is written \`$$\`; \`$(HOME)\` takes the variable HOME.

Of \`db-uri\` and \`server-port\`, \`DATABASE_URL\` and \`PORT\` come last. Otherwise the default holds. \`rowhouse --dump-config\` shows the outcome, secrets included. Options reload on SIGUSR2, on \`NOTIFY\` with the payload \`reload config\`, and with every load of the schema cache; those that say *start* are read only then. A value that is not allowed, and a name that is no option, ends the start ([operations.md](operations.md#what-a-start-refuses)); a reload with such a mistake changes nothing and says so in the log.

Besides these, \`app.settings.<name>\` (in the environment \`${environmentPrefix}APP_SETTINGS_<name>\`) is handed to every transaction, where \`current_setting('app.settings.<name>')\` reads it.
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

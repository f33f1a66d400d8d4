// Renders the option table as a JSON Schema (draft 2020-12) of a configuration object: option name → value.
import type { Dialect } from '../../src/contract/dialect.ts';
import { environmentName, inDatabaseName, type OptionKey } from '../../src/config/table/option.ts';
import { defaultOf, OPTIONS, printDefault, PUBLIC_OPTION_KEYS } from '../../src/config/table/options.ts';

type JsonObject = Readonly<Record<string, unknown>>;

export interface ConfigSchema extends JsonObject {
  /** Keyed by option name or alias. */
  readonly properties: Readonly<Record<string, JsonObject>>;
}

/** Uses the names and defaults of the dialect. */
export function buildConfigSchema(dialect: Dialect): ConfigSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration',
    type: 'object',
    properties: Object.fromEntries(PUBLIC_OPTION_KEYS.flatMap((key) => describeNames(key, dialect))),
    patternProperties: { '^app\\.settings\\.': { type: ['string', 'number', 'boolean'] } },
    additionalProperties: false,
  };
}

function describeNames(key: OptionKey, dialect: Dialect): readonly (readonly [name: string, schema: JsonObject])[] {
  const { name, aliases = [], type } = OPTIONS[key];
  const older = aliases.map(
    (alias) => [alias, { ...type.schema, deprecated: true, description: `Use ${name}` }] as const,
  );
  return [[name, describeOption(key, dialect)], ...older];
}

/** Keywords that begin with `x-` are annotations, which validators ignore. */
function describeOption(key: OptionKey, dialect: Dialect): JsonObject {
  const option = OPTIONS[key];
  const setting = option.isInDatabase && dialect.settingsPrefix + inDatabaseName(option.name);
  return {
    ...option.type.schema,
    description: option.doc,
    ...defaultKeyword(key, dialect),
    ...(option.example === undefined ? {} : { examples: [exampleValue(key, option.example)] }),
    'x-environment': environmentName(option.name, dialect.environmentPrefix),
    ...(setting === undefined ? {} : { 'x-database-setting': setting }),
    'x-reloadable': option.isFixed === undefined,
  };
}

function defaultKeyword(key: OptionKey, dialect: Dialect): JsonObject {
  const text = printDefault(key, dialect);
  if (text === undefined || OPTIONS[key].follows !== undefined) return {};
  return { default: OPTIONS[key].type.isBare ? defaultOf(key, dialect) : text };
}

/** The text of a bare value is valid JSON. */
function exampleValue(key: OptionKey, example: string): unknown {
  return OPTIONS[key].type.isBare ? (JSON.parse(example) as unknown) : example;
}

// Options for the dialect, extensions, logs, the API description and URLs (`operating.md` §1.5). PostgREST does not
// have `dialect`, `extensions`, `log-format` and the limits `url-max-…`.
import { DIALECTS, type DialectName, SVC_DIALECT } from '../../contract/dialect.ts';
import { EXTENSION_NAMES } from '../../contract/extensions.ts';
import { ENDPOINT_PATH, enumeration, EXTENSION_LIST, PAGE_URI, PROXY_URI } from './checked-option-types.ts';
import type { OptionGroup } from './option.ts';
import { BOOLEAN, booleanWithWords, integer } from './option-types.ts';
import { type RequestGroup, REQUEST_OPTIONS } from './options-requests.ts';

const DIALECT_OPTIONS: OptionGroup<'dialect' | 'extensions'> = {
  dialect: {
    name: 'dialect',
    type: enumeration<DialectName>(
      Object.values(DIALECTS).map(({ name }) => name),
      'Invalid dialect. Check your configuration.',
    ),
    default: SVC_DIALECT.name,
    defaultIn: ({ name }) => name,
    doc: 'Names and details of the API: svc, or postgrest for compatibility with PostgREST',
    isFixed: true,
    isOwn: true,
  },
  extensions: {
    name: 'extensions',
    type: EXTENSION_LIST,
    default: SVC_DIALECT.extensions,
    defaultIn: ({ extensions }) => extensions,
    doc: `Extensions of the PostgREST query language: all, none, or a list of ${EXTENSION_NAMES.join(', ')}; the default is none in the dialect postgrest`,
    isOwn: true,
  },
};

const LOG_OPTIONS: OptionGroup<'log'> = {
  logFormat: {
    name: 'log-format',
    type: enumeration(['text', 'json'], 'Invalid log-format. Check your configuration.'),
    default: 'text',
    doc: 'Format of log lines: text, or json with one object per line',
    isOwn: true,
  },
  logLevel: {
    name: 'log-level',
    type: enumeration(['crit', 'error', 'warn', 'info', 'debug'], 'Invalid logging level. Check your configuration.'),
    default: 'error',
    doc: 'Log level: crit, error, warn, info, debug',
  },
  logQuery: {
    name: 'log-query',
    type: booleanWithWords(
      new Map([
        ['main-query', true],
        ['disabled', false],
      ]),
    ),
    default: false,
    doc: 'Logs the SQL of failed requests',
  },
};

const MCP_OPTIONS: OptionGroup<'mcp'> = {
  mcpMaxRows: {
    name: 'mcp-max-rows',
    type: integer(1),
    default: 100,
    doc: 'Maximum number of rows in the result of a tool call of an agent',
    isOwn: true,
  },
  mcpPath: {
    name: 'mcp-path',
    type: ENDPOINT_PATH,
    default: undefined,
    example: '/mcp',
    doc: 'Path at which agents reach the API with the Model Context Protocol (extension mcp); requires the package @modelcontextprotocol/server',
    isOwn: true,
  },
  mcpWrites: {
    name: 'mcp-writes',
    type: BOOLEAN,
    default: false,
    doc: 'Gives agents tools that insert, update and delete rows, and lets them call volatile functions',
    isOwn: true,
  },
};

const OPENAPI_OPTIONS: OptionGroup<'openapi'> = {
  openapiExternalDocs: {
    name: 'openapi-external-docs',
    type: PAGE_URI,
    default: undefined,
    example: 'https://example.com/docs',
    doc: 'URL of external documentation to include in the API description',
    isOwn: true,
  },
  openapiMode: {
    name: 'openapi-mode',
    type: enumeration(
      ['follow-privileges', 'ignore-privileges', 'disabled'],
      'Invalid openapi-mode. Check your configuration.',
    ),
    default: 'follow-privileges',
    doc: 'What the API description includes: follow-privileges, ignore-privileges, or disabled for no description',
    isInDatabase: true,
  },
  openapiSecurityActive: {
    name: 'openapi-security-active',
    type: BOOLEAN,
    default: false,
    doc: 'Adds security sections to the API description',
    isInDatabase: true,
  },
  openapiServerProxyUri: {
    name: 'openapi-server-proxy-uri',
    type: PROXY_URI,
    default: undefined,
    example: 'https://example.com:8443/basePath',
    doc: 'Public base URL shown in the API description',
    isInDatabase: true,
  },
  openapiVersion: {
    name: 'openapi-version',
    type: enumeration(['2.0', '3.1', '3.2'], 'Invalid openapi-version. Check your configuration.'),
    default: '2.0',
    doc: 'OpenAPI version of the API description: 2.0, 3.1, or 3.2 (extension openapi32)',
    isOwn: true,
  },
};

const URL_OPTIONS: OptionGroup<'url'> = {
  urlMaxBrackets: {
    name: 'url-max-brackets',
    type: integer(0),
    default: 4000,
    doc: 'Maximum number of opening brackets in one filter value or argument, which bounds the nesting that PostgreSQL parses',
    isOwn: true,
  },
  urlMaxEmbedDepth: {
    name: 'url-max-embed-depth',
    type: integer(0),
    default: 32,
    doc: 'Maximum nesting depth of embedded resources in select',
    isOwn: true,
  },
  urlMaxEmbeds: {
    name: 'url-max-embeds',
    type: integer(0),
    default: 64,
    doc: 'Maximum number of embedded resources in select, across all levels',
    isOwn: true,
  },
  urlMaxLength: {
    name: 'url-max-length',
    type: integer(1),
    default: 100_000,
    doc: 'Maximum number of characters in a URL',
    isFixed: true,
    isOwn: true,
  },
  urlMaxLogicDepth: {
    name: 'url-max-logic-depth',
    type: integer(0),
    default: 64,
    doc: 'Maximum nesting depth of and/or groups in a filter',
    isOwn: true,
  },
  urlMaxPathSteps: {
    name: 'url-max-path-steps',
    type: integer(0),
    default: 100,
    doc: 'Maximum number of steps in a JSON path',
    isOwn: true,
  },
  urlMaxSelectItems: {
    name: 'url-max-select-items',
    type: integer(0),
    default: 1000,
    doc: 'Maximum number of items in select, including embedded resources, and of terms in order',
    isOwn: true,
  },
  urlMaxTerms: {
    name: 'url-max-terms',
    type: integer(1),
    default: 10_000,
    doc: 'Maximum number of terms in a query: parameters, conditions in and/or groups, order terms, names in lists, and words of searches',
    isOwn: true,
  },
  urlUseLegacyTargetNames: {
    name: 'url-use-legacy-target-names',
    type: BOOLEAN,
    default: true,
    doc: 'Lets filters refer to an embedded resource by its target even if it has an alias',
    isInDatabase: true,
  },
};

const INTERNAL_OPTIONS: OptionGroup<'internal'> = {
  internalSchemaCacheQuerySleepBeforeQueries: {
    name: 'internal-schema-cache-query-sleep-before-queries',
    type: integer(0),
    default: undefined,
    doc: 'Milliseconds to sleep before the first query of a schema-cache load',
    isInternal: true,
  },
  internalSchemaCacheQuerySleep: {
    name: 'internal-schema-cache-query-sleep',
    type: integer(0),
    default: undefined,
    doc: 'Milliseconds to sleep after the last query of a schema-cache load',
    isInternal: true,
  },
};

export const SERVICE_OPTIONS: OptionGroup<
  RequestGroup | 'dialect' | 'extensions' | 'log' | 'mcp' | 'openapi' | 'url' | 'internal'
> = {
  ...REQUEST_OPTIONS,
  ...DIALECT_OPTIONS,
  ...LOG_OPTIONS,
  ...MCP_OPTIONS,
  ...OPENAPI_OPTIONS,
  ...URL_OPTIONS,
  ...INTERNAL_OPTIONS,
};

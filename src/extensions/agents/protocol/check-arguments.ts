// Checks the arguments of a tool call against the input schema of the tool.
import type { AppConfig } from '../../../config/table/app-config.ts';
import { isJsonObject, type JsonObject } from '../../../util/json-object.ts';
import type { ToolFailure } from '../calls/send-request.ts';
import type { Tool } from '../calls/tool.ts';
import type { Sdk } from './sdk.ts';

type Schema = ReturnType<typeof Sdk.fromJsonSchema>;

/** By name of the tool. Compiling a schema takes longer than most calls. */
const schemas = new WeakMap<AppConfig, Map<string, Schema>>();

/** @param config of the server; the same object for all calls until it is reloaded */
export async function checkArguments(
  sdk: typeof Sdk,
  tool: Tool,
  given: JsonObject,
  config: AppConfig,
): Promise<ToolFailure | undefined> {
  // The validator reports every fault of every item, however many there are.
  const tooMany = findTooMany(given, Math.max(MAX_ITEMS, config.mcpMaxRows));
  const issues = tooMany === undefined ? await findIssues(findSchema(sdk, tool, config), given) : [tooMany];
  if (issues.length === 0) return findInexact(given);
  const hint = describeArguments(tool, given, config);
  return { message: 'The arguments do not fulfil the input schema of the tool', details: list(issues, '; '), hint };
}

/** Far more than any tool has. */
const MAX_ARGUMENTS = 100;
/** Filters, columns or terms of an order; no query has more. */
const MAX_ITEMS = 1000;
/** Faults or names in a message. */
const MAX_LISTED = 10;

function findTooMany(given: JsonObject, maxItems: number): string | undefined {
  const members = Object.entries(given);
  if (members.length > MAX_ARGUMENTS) return `arguments must NOT have more than ${MAX_ARGUMENTS} properties`;
  const [name] = members.find(([, value]) => Array.isArray(value) && value.length > maxItems) ?? [];
  return name === undefined ? undefined : `arguments/${name} must NOT have more than ${maxItems} items`;
}

async function findIssues(schema: Schema, given: JsonObject): Promise<readonly string[]> {
  const { issues = [] } = await schema['~standard'].validate(given);
  return issues.map(({ message }) => message.replaceAll(DATA, 'arguments'));
}

function list(texts: readonly string[], separator: string): string {
  const more = texts.length - MAX_LISTED;
  return texts.slice(0, MAX_LISTED).join(separator) + (more > 0 ? `${separator}and ${more} more` : '');
}

/** The name of the arguments in messages of the validator. */
const DATA = /\bdata(?=\/| must )/gu;

function describeArguments(tool: Tool, given: JsonObject, config: AppConfig): string {
  const { properties } = tool.buildInputSchema(config);
  const known = Object.keys(isJsonObject(properties) ? properties : {});
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  const takes = `The arguments of ${tool.name} are ${known.join(', ')}`;
  return unknown.length === 0 ? takes : `${takes}. It has no ${list(unknown, ', ')}`;
}

/** Larger JSON numbers have already lost digits, and could identify another row. */
function findInexact(given: unknown): ToolFailure | undefined {
  if (typeof given === 'number') {
    if (!Number.isInteger(given) || Number.isSafeInteger(given)) return undefined;
    return { message: `The number ${given} may have lost digits`, hint: 'Write numbers above 2^53 as strings' };
  }
  if (typeof given !== 'object' || given === null) return undefined;
  for (const value of Object.values(given)) {
    const fault = findInexact(value);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findSchema(sdk: typeof Sdk, tool: Tool, config: AppConfig): Schema {
  const known = schemas.get(config) ?? new Map<string, Schema>();
  schemas.set(config, known);
  const schema = known.get(tool.name) ?? sdk.fromJsonSchema(tool.buildInputSchema(config));
  known.set(tool.name, schema);
  return schema;
}

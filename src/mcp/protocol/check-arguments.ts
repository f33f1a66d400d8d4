// Checks the arguments of a tool call against the input schema of the tool.
import type { AppConfig } from '../../config/table/app-config.ts';
import { isJsonObject, type JsonObject } from '../../util/json-object.ts';
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
  { given, config }: { readonly given: JsonObject; readonly config: AppConfig },
): Promise<ToolFailure | undefined> {
  const checked = await findSchema(sdk, tool, config)['~standard'].validate(given);
  if (checked.issues === undefined) return findInexact(given);
  const details = checked.issues.map(({ message }) => message.replaceAll(DATA, 'arguments')).join('; ');
  const hint = describeArguments(tool, given, config);
  return { message: 'The arguments do not fulfil the input schema of the tool', details, hint };
}

/** What the validator calls the arguments. */
const DATA = /\bdata(?=\/| must )/gu;

function describeArguments(tool: Tool, given: JsonObject, config: AppConfig): string {
  const { properties } = tool.buildInputSchema(config);
  const known = Object.keys(isJsonObject(properties) ? properties : {});
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  const takes = `The arguments of ${tool.name} are ${known.join(', ')}`;
  return unknown.length === 0 ? takes : `${takes}. It has no ${unknown.join(', ')}`;
}

/** JSON numbers with more digits have already lost some of them, and would name another row. */
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

// Checks the arguments of a tool call against the input schema of the tool.
import type { AppConfig } from '../../config/table/app-config.ts';
import type { JsonObject } from '../../util/json-object.ts';
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
  if (checked.issues === undefined) return undefined;
  const details = checked.issues.map(({ message }) => message).join('; ');
  return { message: 'The arguments do not fulfil the input schema of the tool', details };
}

function findSchema(sdk: typeof Sdk, tool: Tool, config: AppConfig): Schema {
  const known = schemas.get(config) ?? new Map<string, Schema>();
  schemas.set(config, known);
  const schema = known.get(tool.name) ?? sdk.fromJsonSchema(tool.buildInputSchema(config));
  known.set(tool.name, schema);
  return schema;
}

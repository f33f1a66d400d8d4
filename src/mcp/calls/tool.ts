// A tool that agents can call.
import type { AppConfig } from '../../config/table/app-config.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { SchemaDocument } from '../../contract/schema-document.ts';
import type { JsonObject } from '../../util/json-object.ts';
import type { Reply, ToolRequest } from './send-request.ts';
import type { ToolResult } from './tool-result.ts';

export interface ToolContext {
  readonly config: AppConfig;
  readonly dialect: Dialect;
  readonly send: (request: ToolRequest) => Promise<Reply>;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Contains no text from the database. */
  readonly description: string;
  /** Whether the tool exists only with `mcp-writes`. */
  readonly requiresWrites: boolean;
  /** Whether it changes nothing, only adds data, or changes existing data. */
  readonly findEffect: (config: AppConfig) => 'none' | 'adds' | 'changes';
  /** JSON Schema of the arguments, an object. */
  readonly buildInputSchema: (config: AppConfig) => JsonObject;
  /** Whether the tool can do anything for a role that sees these schemas. */
  readonly isUseful: (documents: readonly SchemaDocument[], config: AppConfig) => boolean;
  /** @param given arguments that fulfil the schema */
  run(given: object, context: ToolContext): Promise<ToolResult>;
}

// The first calls of a process compile nothing, because the start has done so.
import * as sdk from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import { warmUp } from '../../src/extensions/agents/http/warm-up.ts';
import { checkArguments } from '../../src/extensions/agents/protocol/check-arguments.ts';
import { listTools } from '../../src/extensions/agents/tools/tools.ts';
import { createConfigReader } from '../../src/service/configuration/read-config.ts';

test.each([true, false])('B48 the schemas of all tools are compiled at start-up (mcp-writes: %s)', async (writes) => {
  const environment = { ROWHOUSE_DB_URI: 'postgresql://', ROWHOUSE_MCP_WRITES: String(writes) };
  const config = createConfigReader({ file: undefined, environment })(new Map(), undefined);
  if (!config.ok) throw new Error(config.error.message);
  const compiled: unknown[] = [];
  const answers: number[] = [];
  const counting: typeof sdk = {
    ...sdk,
    fromJsonSchema: (schema) => {
      compiled.push(schema);
      return sdk.fromJsonSchema(schema);
    },
    createMcpHandler: (...given) => {
      const handler = sdk.createMcpHandler(...given);
      const fetch: typeof handler.fetch = async (request) => {
        const response = await handler.fetch(request);
        const text = await response.clone().text();
        if (text.includes('The arguments do not fulfil the input schema')) answers.push(response.status);
        return response;
      };
      return { ...handler, fetch };
    },
  };
  const tools = listTools(config.value);
  await warmUp(counting, {
    config: config.value,
    dialect: SVC_DIALECT,
    pause: () => Promise.resolve(),
    product: PRODUCT,
  });
  expect(compiled).toHaveLength(tools.length);
  // In both revisions of the protocol.
  expect(answers).toEqual(tools.flatMap(() => [200, 200]));
  for (const tool of tools) await checkArguments(counting, tool, {}, config.value);
  expect(compiled).toHaveLength(tools.length);
});

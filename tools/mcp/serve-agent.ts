// `rowhouse mcp`: serves an agent on standard input and output. Everything that people read goes to the error stream.
import { EXTENSIONS } from '../../src/server/extensions.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import { type Sdk, loadSdk, SDK_PACKAGE, SDK_REMEDY } from '../../src/extensions/agents/protocol/sdk.ts';
import type { AgentSession } from '../../src/extensions/agents/protocol/agent-server.ts';
import { warmUp } from '../../src/extensions/agents/http/warm-up.ts';
import { serveStdio } from '../../src/extensions/agents/protocol/serve-stdio.ts';
import type { AgentRequest, CallApi } from '../../src/extensions/agents/calls/send-request.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import {
  type ConfigLocation,
  createConfigReader,
  type ReadConfig,
} from '../../src/service/configuration/read-config.ts';
import { LineOutput } from '../../src/service/logging/line-output.ts';
import { createPause } from '../../src/service/scheduling/waiting.ts';
import { Service } from '../../src/service/service.ts';
import { readSecret } from '../support/read-text.ts';

/** Resolves when the agent has closed its end. @returns the exit code */
export async function serveAgent(identity: AgentIdentity, location: ConfigLocation): Promise<number> {
  const sdk = await loadSdk();
  if (sdk === undefined) return refuse(`rowhouse mcp requires the package ${SDK_PACKAGE}. ${SDK_REMEDY}`);
  const readConfig = createConfigReader(location);
  const config = readConfig(new Map(), undefined);
  if (!config.ok) return refuse(config.error.message);
  const agent = await identify(identity);
  if (!agent.ok) return refuse(agent.error);
  const code = await serve(sdk, agent.value, config.value, readConfig);
  // Abandoned connection attempts may still keep the event loop alive.
  process.exit(code);
}

function refuse(message: string): 1 {
  process.stderr.write(`${message}\n`);
  return 1;
}

/** Whose privileges the agent has; neither: those of requests without a token. */
interface AgentIdentity {
  readonly role: string | undefined;
  /** As given: `@FILE` names a file that contains it. */
  readonly token: string | undefined;
}

async function identify({ role, token: given }: AgentIdentity): Promise<Result<AgentRequest, string>> {
  if (given === undefined) {
    const session = role === undefined ? 'anonymous' : { role, claimsText: '{}' };
    return ok({ headers: [], mount: { basePath: '', origin: '', isBare: false, session } });
  }
  const token = await readSecret(given);
  if (!token.ok) return fail(token.error);
  return ok({ headers: [['authorization', `Bearer ${token.value?.trim() ?? ''}`]] });
}

const NO_ROLE = 'Requests without a token have no role. Pass --role or --token, or set db-anon-role.';

async function serve(sdk: typeof Sdk, agent: AgentRequest, config: AppConfig, readConfig: ReadConfig): Promise<number> {
  const output = new LineOutput(process.stderr, process.stderr);
  const ended = createEnd();
  const onFatal = (): void => ended.resolve(1);
  const service = new Service({
    config,
    readConfig,
    environment: process.env,
    output,
    onFatal,
    extensions: EXTENSIONS,
    isMounted: true,
  });
  await service.start();
  if (agent.mount?.session === 'anonymous' && service.isRunning && service.config.dbAnonRole === undefined)
    return refuse(NO_ROLE);
  await warmUp(sdk, service.serving.state.snapshot());
  const call: CallApi = (request, cancelled) =>
    service.serving.requests.call(request, { address: undefined, httpVersion: '1.1' }, cancelled);
  const planning: AgentSession['planning'] = () => service.serving.requests.planning;
  const session = { agent, call, dialect: service.serving.dialect, product: PRODUCT, planning, pause: createPause() };
  for (const event of ['end', 'close'] as const) process.stdin.once(event, () => ended.resolve(0));
  const connection = await serveStdio(sdk, () => ({ ...session, config: service.config }), {
    onError: (reason) => service.logger.observe({ kind: 'handlerCrashed', reason }),
    onClose: () => ended.resolve(1),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.resolve(0));
  const code = await ended.promise;
  await connection.close();
  await service.stop();
  output.flush();
  return code;
}

function createEnd(): { readonly promise: Promise<number>; readonly resolve: (code: number) => void } {
  let resolve: (code: number) => void = () => {};
  const promise = new Promise<number>((done) => (resolve = done));
  return { promise, resolve };
}

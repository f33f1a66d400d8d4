// Passes a request to the SDK in the form of the Fetch API, and its response back.
import { type HttpRequest, type HttpResponse, isFraming } from '../../contract/http.ts';
import { type AgentSession, createAgentServer } from '../protocol/agent-server.ts';
import type { Sdk } from '../protocol/sdk.ts';

/** Creates a server for each request, because both revisions of the protocol are served without state. */
export async function answerWithSdk(
  sdk: typeof Sdk,
  request: HttpRequest,
  session: AgentSession,
): Promise<HttpResponse> {
  // The server never sends a message unasked, so there is nothing to subscribe to.
  const handler = sdk.createMcpHandler(() => createAgentServer(sdk, session), {
    maxSubscriptions: 0,
  });
  const response = await handler.fetch(buildFetchRequest(request));
  const body = new Uint8Array(await response.arrayBuffer());
  await handler.close();
  const headers = [...response.headers].filter(([name]) => !isFraming(name));
  return { status: response.status, headers, body: body.byteLength === 0 ? undefined : body };
}

/** Removes credentials, which the SDK does not need. */
const PASSED_HEADERS = /^(?:accept|content-type|last-event-id|mcp-.*)$/u;

function buildFetchRequest({ method, path, headers, body }: HttpRequest): Request {
  const passed = new Headers();
  for (const [name, value] of headers) if (PASSED_HEADERS.test(name)) passed.append(name, value);
  return new Request(`http://localhost${path}`, { method, headers: passed, ...(method === 'POST' ? { body } : {}) });
}

// One request that has its turn → its answer, sent. Every limit is checked before the work that it limits.
import { isBodyRead } from '../check-head.ts';
import type { HttpRequest, HttpResponse } from '../contract/http.ts';
import type { Client } from '../observe/request-report.ts';
import type { Admission } from './admission.ts';
import type { BodyWatch } from './body-pace.ts';
import type { ClientPresence, Connections } from './connections.ts';
import { answerSafely, type HttpHandler, refuseSafely } from './http-handler.ts';
import { beyondLimit, type HttpLimits, type LimitName, type ToldLimit } from './limits.ts';
import { type BodyRead, hasBody, readBody } from './read-body.ts';
import { isHostWrong, readHead } from './read-head.ts';
import { plainAnswer } from './refused-packet.ts';
import { sendResponse } from './send-response.ts';
import type { Turns, Visit } from './turns.ts';

export interface Edge {
  readonly handler: HttpHandler;
  readonly limits: () => HttpLimits;
  readonly onLimit: (name: LimitName) => void;
  readonly connections: Connections;
  readonly turns: Turns;
  readonly admission: Admission;
  readonly bodies: BodyWatch;
}

interface Guest {
  readonly request: HttpRequest;
  readonly client: Client;
  readonly signal: ClientPresence;
}

export async function serveVisit(visit: Visit, edge: Edge): Promise<void> {
  const { incoming, outgoing } = visit;
  const { connections, turns } = edge;
  const { socket } = incoming;
  const signal = connections.begin(incoming);
  if (signal === undefined) return;
  outgoing.on('close', () => {
    connections.finish(socket, signal);
    turns.leave(socket);
  });
  const client = { address: socket.remoteAddress, httpVersion: incoming.httpVersion };
  const guest: Guest = { request: readHead(incoming), client, signal };
  const response = await answer(visit, guest, edge);
  if (response === undefined) return;
  if (connections.endsWith(socket, signal)) outgoing.shouldKeepAlive = false;
  // The rest of its body is thrown away, and the connection with it.
  if (!incoming.complete) close(visit, response, edge);
  if (sendSafely(visit, response, edge)) awaitReader(visit, edge);
  else if (outgoing.headersSent || !sendSafely(visit, refuseSafely(edge.handler, guest.request, client), edge))
    outgoing.destroy();
}

/** @returns undefined when the client has gone */
async function answer(visit: Visit, guest: Guest, edge: Edge): Promise<HttpResponse | undefined> {
  const { request, client, signal } = guest;
  const { handler, admission, limits } = edge;
  if (request.headers.length > limits().serverMaxHeaders)
    return close(visit, refuse('server-max-headers', guest, edge), edge);
  if (isHostWrong(request, client.httpVersion)) return close(visit, plainAnswer(400), edge);
  const overload = admission.check();
  if (overload !== undefined) return refuse(overload, guest, edge);
  if (!hasBody(visit.incoming)) return admission.run(() => answerSafely(handler, request, { client, signal }));
  const body = await takeBody(visit, guest, edge);
  switch (body.kind) {
    case 'aborted':
      return undefined;
    case 'refused':
      return body.response;
    case 'tooLarge':
      return refuse('server-max-body-size', guest, edge);
    case 'tooSlow':
      return refuse('server-body-timeout', guest, edge);
    case 'body': {
      // While it came, so may many others have.
      const belated = admission.check();
      if (belated !== undefined) return refuse(belated, guest, edge);
      const whole = { ...request, body: body.bytes };
      return admission.run(() => answerSafely(handler, whole, { client, signal }));
    }
  }
}

function takeBody(visit: Visit, { request, client }: Guest, edge: Edge): Promise<BodyRead> {
  const { outgoing, awaitsContinue } = visit;
  return readBody(visit.incoming, {
    maxSize: edge.limits().serverMaxBodySize,
    check: () => edge.handler.check(request, client),
    onWanted: awaitsContinue ? () => outgoing.writeContinue() : undefined,
    isKept: isBodyRead(request.method),
    watch: edge.bodies,
  });
}

function refuse(name: ToldLimit, { request, client }: Guest, { handler, limits, onLimit }: Edge): HttpResponse {
  onLimit(name);
  return handler.refuse(request, client, beyondLimit(name, limits()));
}

/** Who sends such a head is not to be asked for the next one. */
function close({ incoming, outgoing }: Visit, response: HttpResponse, { connections }: Edge): HttpResponse {
  connections.close(incoming.socket);
  outgoing.shouldKeepAlive = false;
  return response;
}

/** @returns whether it is on its way */
function sendSafely(visit: Visit, response: HttpResponse, { handler }: Edge): boolean {
  try {
    sendResponse(visit, response);
    return true;
  } catch (error) {
    handler.onCrash(error);
    return false;
  }
}

/** What the system has not taken at once waits for the client, who may never come to read it. */
function awaitReader({ incoming, outgoing }: Visit, { limits }: Edge): void {
  if (!outgoing.writableFinished) incoming.socket.setTimeout(limits().serverSendTimeout * 1000);
}

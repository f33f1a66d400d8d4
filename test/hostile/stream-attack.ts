// The parts of an attack on streams, waiting or retries: a server, and the actions of clients.
import assert from 'node:assert/strict';
import type { Answer } from '../endings/answer-reader.ts';
import { type Conversation, type Question, SocketConversation } from '../endings/conversation.ts';
import type { Stage } from '../endings/hosts.ts';
import type { Scene } from '../endings/scene.ts';

export interface StreamAttack {
  readonly name: string;
  readonly stage: Stage;
  readonly run: (scene: Scene, isLong: boolean) => Promise<void>;
}

const OWN = { workers: 1, isMounted: false, transports: [] };
/** No client is disconnected for being slow during an attack. */
const SLOW = { 'server-send-timeout': 60, 'server-body-timeout': 60, 'db-pool-acquisition-timeout': 30 };

export const TEN: Stage = { name: 'ten connections', pool: 10, ...OWN, options: {} };
export const UNHURRIED_TEN: Stage = { ...TEN, options: SLOW };
export const UNHURRIED_ONE: Stage = { name: 'one connection', pool: 1, ...OWN, options: SLOW };
export const FOUR_AT_ONCE: Stage = {
  ...TEN,
  name: 'four requests at a time',
  options: { 'server-max-connection-requests': 4 },
};
export const MOUNTED: Stage = { ...TEN, name: 'mounted', isMounted: true };
export const LONE_WORKERS: Stage = { ...TEN, name: 'four workers of one connection', pool: 4, workers: 4 };

export const NDJSON: string = 'application/x-ndjson';
export const ARRAY: string = 'application/json';

interface Talk {
  readonly version?: '1.0' | '1.1';
  readonly count?: number;
}

export function ask(scene: Scene, question: Question, { version = '1.1', count = 1 }: Talk = {}): Conversation {
  return new SocketConversation({ port: scene.host.port, version, count }, question);
}

export function get(target: string, Accept: string): Question {
  return { method: 'GET', target, headers: { Accept } };
}

/** Expects an error with its status, or a response that the client recognizes as incomplete. */
export function expectBroken([answer]: readonly Answer[], what: string): void {
  assert.ok(answer !== undefined, `no response to ${what}`);
  assert.deepEqual([answer.status, answer.ending], answer.status === 200 ? [200, 'part'] : [400, 'whole'], what);
}

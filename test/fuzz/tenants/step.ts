// What a tenant does next: a request, what is right as its answer, and what it changes.
import type { Dialect } from '../../../src/contract/dialect.ts';
import type { Random } from '../../support/generate/random.ts';
import type { Answer, Question } from '../../support/http-client.ts';
import type { Shapes } from './shapes.ts';
import type { Tenant, Token } from './tenant.ts';

export interface Step {
  /** Under which it is counted. */
  readonly kind: string;
  readonly question: Question;
  /** @returns what is wrong with the answer */
  readonly check: (answer: Answer) => string | undefined;
  /** Changes the model as the request has changed the tables. */
  readonly settle?: () => void;
  /** Nothing changes: the same may be asked of another server. */
  readonly isRead?: boolean;
  /** The client leaves in the middle: after so many bytes of the request (default all) and so many milliseconds. */
  readonly abandoned?: { readonly length?: number; readonly pause: number };
}

export interface Scene {
  readonly random: Random;
  readonly tenant: Tenant;
  readonly shapes: Shapes;
  readonly dialect: Dialect;
}

export type StepMaker = (scene: Scene) => Step;

/** Chooses among makers by their weights. */
export function chooseMaker(random: Random, makers: readonly (readonly [weight: number, StepMaker])[]): StepMaker {
  let rest = random.roll(makers.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, maker] of makers) {
    if (rest < weight) return maker;
    rest -= weight;
  }
  throw new Error('weights must be whole numbers');
}

export function authorize({ text }: Token): { readonly Authorization: string } {
  return { Authorization: `Bearer ${text}` };
}

export function pickToken({ random, tenant }: Scene): Token {
  return random.pick([...tenant.members, ...tenant.readers]);
}

/** Checks an answer by its status and its whole body. */
export function expectText(status: number, body: string): Step['check'] {
  return (answer) =>
    answer.status === status && answer.body === body
      ? undefined
      : `${answer.status} ${answer.body} instead of ${status} ${body}`;
}

/** The same by what the body says as JSON. */
export function expectJson(status: number, value: unknown): Step['check'] {
  const expected = JSON.stringify(value);
  return (answer) => {
    if (answer.status === status && answer.body !== '' && JSON.stringify(JSON.parse(answer.body)) === expected)
      return undefined;
    return `${answer.status} ${answer.body} instead of ${status} ${expected}`;
  };
}

export function expectError(status: number, code: string): Step['check'] {
  return (answer) => {
    const isSo = answer.status === status && (JSON.parse(answer.body) as { readonly code?: unknown }).code === code;
    return isSo ? undefined : `${answer.status} ${answer.body} instead of ${status} ${code}`;
  };
}

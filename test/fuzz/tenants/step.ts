// The next step of a tenant: a request, the check of its response, and the change that it makes.
import type { Dialect } from '../../../src/contract/dialect.ts';
import type { Random } from '../../support/generate/random.ts';
import type { Answer, Question } from '../../support/http-client.ts';
import type { Shapes } from './shapes.ts';
import type { Tenant, Token } from './tenant.ts';

export interface Step {
  /** The name under which it is counted. */
  readonly kind: string;
  readonly question: Question;
  /** @returns what is wrong with the response, if anything */
  readonly check: (answer: Answer) => string | undefined;
  /** Applies the change of the request to the model. */
  readonly settle?: () => void;
  /** If true, the request changes nothing and may be sent to another server as well. */
  readonly isRead?: boolean;
  /** The client disconnects after `length` bytes of the request (default all) and `pause` milliseconds. */
  readonly abandoned?: { readonly length?: number; readonly pause: number };
}

export interface Scene {
  readonly random: Random;
  readonly tenant: Tenant;
  readonly shapes: Shapes;
  readonly dialect: Dialect;
}

export type StepMaker = (scene: Scene) => Step;

/** Picks a maker at random by weight. */
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

/** Checks status and exact body. */
export function expectText(status: number, body: string): Step['check'] {
  return (answer) =>
    answer.status === status && answer.body === body
      ? undefined
      : `${answer.status} ${answer.body} instead of ${status} ${body}`;
}

/** Checks status and the body as JSON. */
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

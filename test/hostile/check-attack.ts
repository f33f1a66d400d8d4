// Checks the response to an attack. Bad input must never cause a 5xx or a slow response, and the response must not
// reveal what the sender may not see.
import type { Answer, Question } from '../support/http-client.ts';
import { HIDDEN_NAMES } from './fixture.ts';

export interface Attack {
  readonly name: string;
  readonly question: Question;
}

/** In milliseconds. Who takes longer is taken for blocked: how long the thread works at a stretch, `bounds` measures. */
const LONGEST_ANSWER = 20_000;

/** Regular expressions in PostgreSQL are bounded only by the role's `statement_timeout` (docs/security.md). */
function longestAnswerTo({ url }: Question): number {
  return /i?match\./u.test(url) ? 10 * LONGEST_ANSWER : LONGEST_ANSWER;
}

export function check({ question }: Attack, answer: Answer, milliseconds: number): string | undefined {
  if (answer.status >= 500) return `${answer.status} ${answer.body.slice(0, 300)}`;
  if (milliseconds > longestAnswerTo(question)) return `${Math.round(milliseconds)} ms`;
  const injected = Object.keys(answer.headers).find((name) => name.includes('injected'));
  if (injected !== undefined) return `the header ${injected}`;
  const leaked = findLeakedName(question, answer);
  return leaked === undefined ? undefined : `reveals ${leaked}: ${answer.status} ${answer.body.slice(0, 300)}`;
}

/** Returns a hidden name in the response that the request does not contain. */
function findLeakedName(question: Question, answer: Answer): string | undefined {
  const asked = `${decode(question.url)} ${JSON.stringify(question.headers)} ${String(question.body ?? '')}`;
  const answered = `${answer.body} ${JSON.stringify(answer.headers)}`;
  return HIDDEN_NAMES.find((name) => answered.includes(name) && !asked.includes(name));
}

function decode(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

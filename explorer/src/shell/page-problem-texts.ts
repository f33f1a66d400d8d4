// Titles and advice for problems that affect the whole page.
import type { PageProblemKind } from './page-problem.ts';

export type Remedy = 'enterToken' | 'removeToken' | 'tryAgain' | 'defaultSchema' | 'dismiss';

export interface PageProblemText {
  readonly title: string;
  readonly hint: string;
  readonly remedies: readonly Remedy[];
}

export const PAGE_PROBLEM_TEXTS: Readonly<Record<PageProblemKind, PageProblemText>> = {
  unreachable: {
    title: 'The server does not respond.',
    hint: 'Check that it is running and that this computer can connect to it. Your request is kept in the address.',
    remedies: ['tryAgain'],
  },
  expired: {
    title: 'The token has expired.',
    hint: 'Enter a new token to send the request again.',
    remedies: ['enterToken', 'removeToken'],
  },
  refused: {
    title: 'The server rejected the token.',
    hint: 'It may be for another server, signed with another key, or for a role that does not exist.',
    remedies: ['enterToken', 'removeToken'],
  },
  needsToken: {
    title: 'This requires a token.',
    hint: 'Without one, you have the anonymous role, which lacks the privilege.',
    remedies: ['enterToken'],
  },
  forbidden: {
    title: 'Your role lacks the privilege for this.',
    hint: 'Use a token of another role, or grant the privilege in the database.',
    remedies: ['enterToken'],
  },
  unknownSchema: {
    title: 'The server does not expose this schema.',
    hint: 'Try the default schema.',
    remedies: ['defaultSchema'],
  },
  noDescription: {
    title: 'The schema could not be loaded.',
    hint: 'A proxy in front of the server must forward requests for its root path.',
    remedies: ['tryAgain'],
  },
  linkRefused: {
    title: 'The key of this link is from an earlier start of rowhouse dev.',
    hint: 'Each start has a new key. Open the link that rowhouse dev printed last.',
    remedies: ['dismiss'],
  },
};

// What is the matter, and what to do about it, in words.
import type { TroubleKind } from './trouble.ts';

export type Remedy = 'enterToken' | 'removeToken' | 'tryAgain' | 'defaultSchema';

export interface TroubleWords {
  readonly title: string;
  readonly hint: string;
  readonly remedies: readonly Remedy[];
}

export const TROUBLE_WORDS: Readonly<Record<TroubleKind, TroubleWords>> = {
  gone: {
    title: 'The server does not answer.',
    hint: 'See whether it runs and whether this computer can reach it; what you asked is kept in the address.',
    remedies: ['tryAgain'],
  },
  expired: {
    title: 'The token has expired.',
    hint: 'Enter a new one; the request is sent again with it.',
    remedies: ['enterToken', 'removeToken'],
  },
  refused: {
    title: 'The server does not accept the token.',
    hint: 'It may be meant for another server, or signed with another key.',
    remedies: ['enterToken', 'removeToken'],
  },
  needsToken: {
    title: 'This needs a token.',
    hint: 'Without one you are the anonymous role, which may not do this.',
    remedies: ['enterToken'],
  },
  forbidden: {
    title: 'This role may not do that.',
    hint: 'A token of another role may, or the role needs a grant in the database.',
    remedies: ['enterToken'],
  },
  unknownSchema: {
    title: 'The server does not show this schema.',
    hint: 'See what the default one has.',
    remedies: ['defaultSchema'],
  },
  noDescription: {
    title: 'The schema could not be read.',
    hint: 'If a proxy stands before the server, it must pass on requests for its root path.',
    remedies: ['tryAgain'],
  },
};

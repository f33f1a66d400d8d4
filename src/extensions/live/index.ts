// Streams of events: rows that are read again when they change, and notifications on channels (`beyond.md` §3.1).
import type { Extension } from '../../serve/extension.ts';
import { answerEvents } from './answer-events.ts';

export const LIVE: Extension = {
  name: 'live',
  compile({ config: { extensions, livePublication } }) {
    const subjects = new Set([
      ...(extensions.events ? ['channels' as const] : []),
      ...(extensions.live && livePublication !== undefined ? ['rows' as const] : []),
    ]);
    return subjects.size === 0 ? undefined : { events: { subjects, answer: answerEvents } };
  },
};

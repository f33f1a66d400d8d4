// Sync: many live reads on one connection (`beyond.md` §6). A POST to `/` with the media type of batches that accepts a
// stream of events is answered here. The extension `live` makes the stream.
import type { Extension } from '../../serve/extension.ts';
import { answerReads } from './answer-reads.ts';
import { isReadList } from './read-list.ts';

export const SYNC: Extension = {
  name: 'sync',
  compile({ config: { extensions, livePublication }, dialect }) {
    if (!extensions.sync || !extensions.live || livePublication === undefined) return undefined;
    return { findOwnTask: (head) => (isReadList(head, dialect) ? answerReads : undefined) };
  },
};

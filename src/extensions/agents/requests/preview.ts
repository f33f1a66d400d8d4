// Writes are previewed: unless `commit` is true, they run and are rolled back.
import { firstHeader } from '../../../contract/http.ts';
import type { JsonObject } from '../../../util/json-object.ts';
import type { Answer } from '../calls/send-request.ts';

export function commitProperty(subject: string): JsonObject {
  return {
    type: 'boolean',
    default: false,
    description: `false: runs the ${subject}, returns its effect and rolls it back. true: keeps it`,
  };
}

export function transactionHeader(commit: boolean | undefined): string {
  return commit === true ? 'tx=commit' : 'tx=rollback';
}

const PREVIEW = 'This is a preview: the change was rolled back. Pass "commit": true to keep it.';
const NEVER = 'The server rolls every change back (db-tx-end).';

const UNSEEN = 'The response was too long to show.';

export interface WriteEnd {
  readonly isCommitted: boolean;
  readonly explanation: string | undefined;
}

/** @param isWanted whether the call asked for a commit */
export function describeEnd(isWanted: boolean | undefined, { headers, isTooLong }: Answer): WriteEnd {
  const applied = firstHeader(headers, 'preference-applied') ?? '';
  const isCommitted = applied.split(',').some((item) => item.trim() === 'tx=commit');
  const sentences = [isCommitted ? '' : isWanted === true ? NEVER : PREVIEW, isTooLong ? UNSEEN : ''];
  const explanation = sentences.filter((sentence) => sentence !== '').join(' ');
  return { isCommitted, explanation: explanation === '' ? undefined : explanation };
}

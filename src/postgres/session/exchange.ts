// What a session hands the answers of one write to.
import type { MessageReceiver } from '../wire/decoder.ts';
import type { ServerError } from '../wire/read-message.ts';

/** One batch and its answer; receives every message that belongs to it, up to ReadyForQuery. */
export interface Exchange extends MessageReceiver {
  /**
   * @param left bytes still to come of a long message; 0: there is none
   * @returns where they are to be read, or what comes next; undefined: anywhere
   */
  offerRoom?(left: number): Buffer | undefined;
  /** The server reports an error; the rest of the batch is skipped. */
  refuse(error: ServerError): void;
  /** The connection is gone; nothing more arrives. */
  lose(details: string): void;
}

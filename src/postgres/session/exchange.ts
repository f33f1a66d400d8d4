// The receiver of the server's answers to one write.
import type { MessageReceiver, ServerMessage } from '../wire/decoder.ts';
import type { ServerError } from '../wire/read-message.ts';

/** Receives every message of the answer to what was sent at once, up to ReadyForQuery. */
export interface Exchange extends MessageReceiver {
  /**
   * @param remaining bytes that are missing of a long message; 0 if there is none
   * @returns the buffer for the next read; undefined for any buffer
   */
  provideBuffer?(remaining: number): Buffer | undefined;
  /** Receives the messages of a copy; without it, copies are rejected or ignored. */
  receiveCopy?(message: ServerMessage): void;
  /** The server reports an error and skips the messages up to Sync. */
  refuse(error: ServerError): void;
  /** The connection is lost; no further message arrives. */
  lose(details: string): void;
}

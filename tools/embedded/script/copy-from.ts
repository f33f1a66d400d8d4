// `COPY … FROM stdin` through the driver, whose `Query` does not send data.
import type { Writable } from 'node:stream';
import { Query, type ClientBase } from 'pg';
import { messageOf } from '../../support/thrown.ts';

/** The driver's connection, as far as COPY needs it. */
interface CopyConnection {
  readonly stream: Writable;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** A query that sends data when COPY asks for it, no faster than PostgreSQL reads. */
class CopyQuery extends Query {
  readonly #data: AsyncIterable<Buffer> | Iterable<Buffer>;

  constructor(text: string, data: AsyncIterable<Buffer> | Iterable<Buffer>) {
    super(text);
    this.#data = data;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#send(connection).then(
      () => connection.endCopyFrom(),
      (error: unknown) => connection.sendCopyFail(messageOf(error)),
    );
  }

  async #send(connection: CopyConnection): Promise<void> {
    for await (const chunk of this.#data) {
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) await awaitDrain(connection.stream);
    }
  }
}

/** A lost connection ends the wait too: the query then fails by itself. */
function awaitDrain(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.once('drain', done).once('close', done);
  });
}

/** Runs a COPY statement with its data. Rejects with the error of the driver. */
export function copyFrom(
  client: ClientBase,
  text: string,
  data: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    client
      .query(new CopyQuery(text, data))
      .on('end', () => resolve())
      .on('error', reject);
  });
}

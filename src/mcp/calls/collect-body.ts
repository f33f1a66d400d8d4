// Reads a response body into memory, up to a limit.
import { type BodyStream, isStream } from '../../contract/body-stream.ts';

/** Several times the size of a result, because rows are dropped from it only after they have arrived. */
const MAX_BYTES = 4_194_304;

/** `broken`: the database failed after the response had begun. */
export type CollectedBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tooLong' }
  | { readonly kind: 'broken' };

export function collectBody(body: Uint8Array | BodyStream | undefined): Promise<CollectedBody> {
  if (isStream(body)) return collectStream(body);
  const bytes = body ?? new Uint8Array();
  return Promise.resolve(bytes.byteLength > MAX_BYTES ? { kind: 'tooLong' } : textOf([bytes]));
}

function collectStream(body: BodyStream): Promise<CollectedBody> {
  return new Promise((resolve) => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    body.read({
      take(piece) {
        size += piece.byteLength;
        if (size <= MAX_BYTES) {
          pieces.push(piece);
          return true;
        }
        resolve({ kind: 'tooLong' });
        body.cancel();
        return false;
      },
      end: () => resolve(textOf(pieces)),
      fail: () => resolve({ kind: 'broken' }),
    });
  });
}

function textOf(pieces: readonly Uint8Array[]): CollectedBody {
  const decoder = new TextDecoder();
  const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join('');
  return { kind: 'text', text: text + decoder.decode() };
}

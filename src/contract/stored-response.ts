// A response that is stored for repetitions of its request.
import type { HeaderList } from './http.ts';

export interface StoredResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

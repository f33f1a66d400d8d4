// A fake browser for the store: an address with history, a token, and responses controlled by the test.
import type { Exchange, OutgoingRequest } from '../../../explorer/src/client/exchange.ts';
import type { ApiAccess } from '../../../explorer/src/client/api-access.ts';
import type { Browser } from '../../../explorer/src/store/browser.ts';

export interface SentRequest {
  readonly access: ApiAccess;
  readonly request: OutgoingRequest;
  readonly signal: AbortSignal | undefined;
  answer(status: number, body: string): Promise<void>;
  fail(reason: 'network' | 'cancelled'): Promise<void>;
}

export interface FakeBrowser extends Browser {
  readonly sent: readonly SentRequest[];
  readonly history: readonly string[];
  readonly token: string | undefined;
  /** Navigates like a link or the Back button. */
  visit(hash: string): void;
  /** Returns the latest request for that URL. */
  last(url: string): SentRequest;
}

export function fakeBrowser(hash: string, kept?: string): FakeBrowser {
  const history = [hash];
  const sent: SentRequest[] = [];
  let token = kept;
  let listen: () => void = () => undefined;
  return {
    canSign: false,
    base: 'http://localhost/',
    sent,
    history,
    get token() {
      return token;
    },
    readHash: () => history.at(-1) ?? '',
    writeHash(next, step) {
      if (step === 'replace') history.pop();
      history.push(next);
    },
    onHash: (listener) => (listen = listener),
    readToken: () => token,
    writeToken: (next) => (token = next),
    readSigningKey: () => undefined,
    writeSigningKey: () => undefined,
    takeLinkKey: () => undefined,
    send: async (access, request, signal) =>
      new Promise((resolve) => {
        const finish = async (exchange: Exchange): Promise<void> => {
          resolve(exchange);
          await new Promise((done) => setImmediate(done));
        };
        const answered = { headers: [], bytes: 0, milliseconds: 1 };
        sent.push({
          access,
          request,
          signal,
          answer: async (status, text) =>
            finish({ kind: 'answered', request, response: { ...answered, status, text, content: new Blob([text]) } }),
          fail: async (reason) => finish({ kind: 'failed', request, reason }),
        });
      }),
    visit(next) {
      history.push(next);
      listen();
    },
    last(url) {
      const found = sent.findLast((one) => one.request.url === url);
      if (found === undefined) throw new Error(`no request for ${url}`);
      return found;
    },
  };
}

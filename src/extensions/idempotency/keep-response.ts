// Puts a script between a segment that claims its key and one that stores its response, in the same transaction.
import type { HttpResponse } from '../../contract/http.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ScriptResult, ScriptResults } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { MAX_STORED_BYTES } from './idempotency-setup.ts';
import { renderClaim, renderStore } from './render-idempotency.ts';
import type { Segment, TransactionScript } from '../../sql/transaction-script.ts';
import type { FailedResponse } from '../../response/failed-response.ts';
import type { HeldResponse, RespondHeld } from '../../serve/request-context.ts';
import { parseJsonObject } from '../../util/json-object.ts';
import { type KeyedRequest, STREAMED } from './keyed-request.ts';

type NextPart = Result<TransactionScript | undefined, ApiError>;

/** Headers that are not stored, because they belong to one response only. */
const NOT_STORED = /^(?:date|set-cookie)$/iu;

export function keepResponse(
  script: TransactionScript,
  keyed: KeyedRequest,
  respond: RespondHeld,
): Result<HeldResponse, ApiError> {
  return script.arriving === undefined ? ok(new KeptResponse(script, keyed, respond)) : fail(STREAMED);
}

class KeptResponse implements HeldResponse {
  readonly #inner: TransactionScript;
  readonly #keyed: KeyedRequest;
  readonly #respond: RespondHeld;
  #response: HttpResponse | undefined;
  #failure: FailedResponse | undefined;

  constructor(script: TransactionScript, keyed: KeyedRequest, respond: RespondHeld) {
    this.#inner = script;
    this.#keyed = keyed;
    this.#respond = respond;
  }

  get response(): HttpResponse | undefined {
    return this.#response;
  }

  get failure(): FailedResponse | undefined {
    return this.#failure;
  }

  get script(): TransactionScript {
    const { schema, claim } = this.#keyed;
    return this.#renderPart(this.#inner, { main: renderClaim(schema, claim) }, ([claimed]) => this.#begin(claimed));
  }

  #begin(claimed: ScriptResults[0]): Promise<NextPart> {
    const stored = readClaim(claimed);
    if (!stored.ok) return Promise.resolve(stored);
    this.#response = stored.value;
    if (stored.value !== undefined) return END;
    const [first, ...others] = this.#inner.segments;
    return Promise.resolve(
      ok(this.#follow({ ...this.#inner, segments: [{ ...first, isContinued: true }, ...others] })),
    );
  }

  /** Returns the part, continued by the next part. The last part continues with the segment that stores the response. */
  #follow(part: TransactionScript): TransactionScript {
    return {
      ...part,
      continue: async (results) => {
        const next = (await part.continue?.(results)) ?? ok(undefined);
        if (!next.ok) return next;
        return next.value === undefined ? this.#store(part, results) : ok(this.#follow(next.value));
      },
    };
  }

  async #store(part: TransactionScript, results: ScriptResults): Promise<NextPart> {
    const built = await this.#respond(results);
    if (!built.ok) {
      this.#failure = built.error;
      return fail(built.error.error);
    }
    this.#response = built.value;
    const { status, headers, body } = built.value;
    const bytes = body instanceof Uint8Array ? body : new Uint8Array();
    const kept = headers.filter(([name]) => !NOT_STORED.test(name));
    const { schema, claim } = this.#keyed;
    const stored = bytes.length > MAX_STORED_BYTES ? undefined : { status, headers: kept, body: bytes };
    const main = renderStore(schema, claim.key, stored);
    return ok(this.#renderPart(part, { main, isContinued: true }, () => END));
  }

  /** Returns a part with one segment of our own, to which no cost budget and no limit on responses applies. */
  #renderPart(
    part: TransactionScript,
    own: Pick<Segment, 'main'> & Partial<Segment>,
    next: NonNullable<TransactionScript['continue']>,
  ): TransactionScript {
    const { resultLimit: _limit, ...rest } = part;
    const { request: _request, budget: _budget, ...first } = this.#inner.segments[0];
    return { ...rest, segments: [{ ...first, plannedCount: undefined, ...own }], continue: next };
  }
}

const END: Promise<NextPart> = Promise.resolve(ok(undefined));

const REPLAYED = ['Idempotency-Replayed', 'true'] as const;

/** @returns the stored response; undefined if the key is new */
function readClaim(result: ScriptResult | undefined): Result<HttpResponse | undefined, ApiError> {
  const body = result?.kind === 'outcome' ? result.outcome.body : undefined;
  const claim = body instanceof Uint8Array ? parseJsonObject(new TextDecoder().decode(body)) : undefined;
  switch (claim?.['state']) {
    case 'new':
      return ok(undefined);
    case 'busy':
      return fail({ kind: 'keyInProgress' });
    case 'other':
      return fail({ kind: 'keyUsed' });
    case 'full':
      return fail({ kind: 'keysFull' });
    case 'unkept':
      return fail({ kind: 'responseNotKept' });
    case 'replay':
      return readStored(claim);
    default:
      return fail({ kind: 'undecodableResult', details: 'unexpected result of claim_idempotency_key' });
  }
}

function readStored(claim: Readonly<Record<string, unknown>>): Result<HttpResponse, ApiError> {
  const { status, headers, body } = claim;
  if (typeof status !== 'number' || !Array.isArray(headers) || typeof body !== 'string')
    return fail({ kind: 'undecodableResult', details: 'unexpected stored response' });
  const stored = (headers as readonly unknown[]).filter(isHeader);
  return ok({
    status,
    headers: [...stored, REPLAYED],
    body: Uint8Array.from(atob(body), (char) => char.charCodeAt(0)),
  });
}

function isHeader(value: unknown): value is readonly [name: string, value: string] {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');
}

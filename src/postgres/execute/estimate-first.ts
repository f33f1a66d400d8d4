// Has PostgreSQL estimate the main statements that have a budget before they run (`beyond.md` §1.2). The estimate is
// made by the same transaction, under the settings of the request and after its pre-request function, with the request's
// own values: nothing that the estimate depends on can change until the statement runs.
import { fail, ok, type Result } from '../../contract/result.ts';
import { generalForm, type MainStatement, type ScriptResult, type ScriptResults } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { renderEstimate } from '../../sql/explain.ts';
import type { Budget, Continue, Segment, TransactionScript } from '../../sql/transaction-script.ts';
import type { KeptEstimates } from './kept-estimates.ts';
import { checkEstimate, type Estimate, readEstimate } from './read-estimate.ts';

type NextPart = Result<TransactionScript | undefined, ApiError>;

/** Returns the script in parts of one segment each, with an estimate before each main statement that has a budget. */
export function estimateFirst(script: TransactionScript, kept: KeptEstimates): TransactionScript {
  const admitted = kept.admit(script);
  if (admitted.segments.some(({ budget }) => budget !== undefined)) return new EstimatedPart(admitted, kept).start();
  const { continue: follow } = admitted;
  return follow === undefined
    ? admitted
    : { ...admitted, continue: (results) => continueEstimated(follow, results, kept) };
}

/** A later part may have a budget even if the first has none. */
async function continueEstimated(follow: Continue, results: ScriptResults, kept: KeptEstimates): Promise<NextPart> {
  const next = await follow(results);
  return next.ok && next.value !== undefined ? ok(estimateFirst(next.value, kept)) : next;
}

/** One part of a script, whose segments run one after another. */
class EstimatedPart {
  readonly #part: TransactionScript;
  readonly #kept: KeptEstimates;

  constructor(part: TransactionScript, kept: KeptEstimates) {
    this.#part = part;
    this.#kept = kept;
  }

  start(): TransactionScript {
    return this.#begin(this.#part.segments[0], []);
  }

  #begin(segment: Segment, done: readonly ScriptResult[]): TransactionScript {
    const { budget } = segment;
    return budget === undefined ? this.#run(segment, done) : this.#estimate(segment, budget, done);
  }

  #estimate(segment: Segment, budget: Budget, done: readonly ScriptResult[]): TransactionScript {
    return this.#explain(segment, budget.text, (estimate) => {
      const error = checkEstimate(estimate, budget);
      if (error === undefined) return ok(this.#run({ ...segment, isContinued: true }, done));
      const { uncounted } = budget;
      if (uncounted === undefined || error.kind !== 'costExceeded') return fail(error);
      const other = { ...budget, text: uncounted.text, uncounted: undefined };
      return ok(this.#estimate({ ...segment, main: uncounted, isContinued: true }, other, done));
    });
  }

  /** A part that only estimates. */
  #explain(segment: Segment, text: string, decide: (estimate: Estimate | undefined) => NextPart): TransactionScript {
    const { resultLimit: _limit, arriving: _arriving, ...rest } = this.#part;
    const main: MainStatement = {
      text: renderEstimate(text),
      parameters: segment.main.parameters,
      delivery: { kind: 'explain' },
    };
    const next: Continue = ([result]) => {
      const estimate = result.kind === 'lines' ? readEstimate(textOf(result.lines)) : undefined;
      if (estimate !== undefined) this.#kept.note(this.#part, segment, estimate);
      return Promise.resolve(decide(estimate));
    };
    const only = { ...segment, main, plannedCount: undefined, verify: undefined };
    return { ...rest, isEstimated: true, segments: [only], continue: next };
  }

  #run(segment: Segment, done: readonly ScriptResult[]): TransactionScript {
    const { continue: follow, ...part } = this.#part;
    const main = generalForm(segment.main);
    const only: TransactionScript = {
      ...part,
      ...this.#limitAfter(done),
      isEstimated: true,
      // Rows that are still to arrive need it.
      segments: [{ ...segment, main, budget: part.arriving && segment.budget }],
    };
    const next = this.#part.segments[done.length + 1];
    if (next !== undefined)
      return { ...only, continue: async ([result]) => ok(this.#begin(next, append(done, result))) };
    if (follow === undefined) return only;
    return { ...only, continue: ([result]) => continueEstimated(follow, append(done, result), this.#kept) };
  }

  /** The limit on the results of the part, without those that have been received. */
  #limitAfter(done: readonly ScriptResult[]): Pick<TransactionScript, 'resultLimit'> | undefined {
    const { resultLimit } = this.#part;
    if (resultLimit === undefined) return undefined;
    return {
      resultLimit: { ...resultLimit, bytes: done.reduce((rest, one) => rest - sizeOf(one), resultLimit.bytes) },
    };
  }
}

function append([first, ...others]: readonly ScriptResult[], last: ScriptResult): ScriptResults {
  return first === undefined ? [last] : [first, ...others, last];
}

function textOf(lines: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return lines.map((line) => decoder.decode(line)).join('\n');
}

function sizeOf(result: ScriptResult): number {
  if (result.kind === 'lines') return result.lines.reduce((sum, line) => sum + line.length, 0);
  const { body } = result.outcome;
  return body instanceof Uint8Array ? body.length : 0;
}

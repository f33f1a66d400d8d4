// Remembers which single-row statements need their general form. A single-row statement buffers its row until the
// statement has succeeded; if the row is too long for that, or is not the only one, the general statement runs instead
// (`docs/decisions/single-rows.md`).
import { generalForm, type MainStatement } from '../../contract/transaction.ts';
import { type RecentLimits, RecentMap } from '../../util/recent-map.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';

const LIMITS: RecentLimits<string> = { entries: 64, size: 262_144, sizeOf: (text) => text.length };

/** The statements of one pool that needed their general form, so that later requests use it at once. */
export class FallbackStatements {
  readonly #texts: RecentMap<string, string> = new RecentMap(LIMITS);
  #isEmpty = true;

  /** Replaces the single-row statements that have needed their general form before. */
  choose(script: TransactionScript): TransactionScript {
    if (this.#isEmpty || !script.segments.some(({ main }) => this.#isKnown(main))) return script;
    const [first, ...others] = script.segments.map((segment) =>
      this.#isKnown(segment.main) ? { ...segment, main: generalForm(segment.main) } : segment,
    );
    return first === undefined ? script : { ...script, segments: [first, ...others] };
  }

  /** Records that the statement needs its general form. @returns that form */
  note(main: MainStatement): MainStatement {
    const general = generalForm(main);
    this.#texts.set(main.text, general.text);
    this.#isEmpty = false;
    return general;
  }

  #isKnown({ delivery, text }: MainStatement): boolean {
    return delivery.kind === 'singleRow' && this.#texts.get(text) !== undefined;
  }
}

// Remembers which statements need their general form. A single-row statement buffers its row until the statement has
// succeeded; if the row is too long for that, or is not the only one, the general statement runs instead
// (`docs/decisions/single-rows.md`). So it does if the rows have values that the server cannot spell
// (`docs/decisions/row-form.md`).
import { generalForm, type MainStatement } from '../../contract/transaction.ts';
import { type RecentLimits, RecentMap } from '../../util/recent-map.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';

interface Known {
  /** Characters of the general text. */
  readonly size: number;
  /** The types that could be spelled; a new schema cache may have others. */
  readonly spelledTypes: ReadonlySet<number> | undefined;
}

const LIMITS: RecentLimits<Known> = { entries: 64, size: 262_144, sizeOf: ({ size }) => size };

/** The statements of one pool that needed their general form, so that later requests use it at once. */
export class FallbackStatements {
  readonly #texts: RecentMap<string, Known> = new RecentMap(LIMITS);
  #isEmpty = true;

  /** Replaces the statements that have needed their general form before. */
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
    this.#texts.set(main.text, { size: general.text.length, spelledTypes: spelledTypesOf(main) });
    this.#isEmpty = false;
    return general;
  }

  #isKnown(main: MainStatement): boolean {
    if (main.general === undefined) return false;
    const known = this.#texts.get(main.text);
    return known !== undefined && known.spelledTypes === spelledTypesOf(main);
  }
}

function spelledTypesOf({ delivery }: MainStatement): ReadonlySet<number> | undefined {
  return 'spelledTypes' in delivery ? delivery.spelledTypes : undefined;
}

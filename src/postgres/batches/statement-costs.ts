// In: what reads took, by the text of their statement. Out: how long the next one of the same text is expected to take.
// Forgets the texts that have not come up for long, so its size is bounded.

export interface CostLimits {
  /** Texts of which the later half at least is known. */
  readonly texts: number;
  /** Characters of all of them. */
  readonly characters: number;
}

export const COST_LIMITS: CostLimits = { texts: 1024, characters: 524_288 };

/** Milliseconds. */
export interface StatementCost {
  /** Of most answers: the mean of the logarithms, which a few late answers on a busy machine hardly move. */
  readonly typical: number;
  /** Of all together: the plain mean, which shows a text of which some answers take long. */
  readonly mean: number;
}

/** What the latest answer counts for. */
const TYPICAL_WEIGHT = 1 / 4;
const MEAN_WEIGHT = 1 / 32;
/** Milliseconds; shorter times say how answers arrived together, not how long they took. */
const SHORTEST_MS = 0.05;

export class StatementCosts {
  readonly #limits: CostLimits;
  /** By text. What is not asked for while the later map fills is forgotten with the earlier one. */
  #later: Map<string, StatementCost> = new Map();
  #earlier: Map<string, StatementCost> = new Map();
  /** Of the later map. */
  #characters = 0;

  constructor(limits: CostLimits) {
    this.#limits = limits;
  }

  /** Undefined for a text that is new. */
  expected(text: string): StatementCost | undefined {
    return this.#later.get(text) ?? this.#earlier.get(text);
  }

  note(text: string, milliseconds: number): void {
    const latest = Math.max(milliseconds, SHORTEST_MS);
    const { typical, mean } = this.expected(text) ?? { typical: latest, mean: latest };
    if (!this.#later.has(text)) this.#makeRoom(text);
    this.#later.set(text, {
      typical: typical * (latest / typical) ** TYPICAL_WEIGHT,
      mean: mean + MEAN_WEIGHT * (latest - mean),
    });
  }

  #makeRoom(text: string): void {
    const { texts, characters } = this.#limits;
    const isFull = this.#later.size * 2 >= texts || (this.#characters + text.length) * 2 > characters;
    if (isFull) {
      this.#earlier = this.#later;
      this.#later = new Map();
      this.#characters = 0;
    }
    this.#characters += text.length;
  }
}

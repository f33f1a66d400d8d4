// In: what reads took, by the text of their statement. Out: how long the next one of the same text is expected to take.
// Forgets the texts that have not come up for long, so its size is bounded. The average is that of the logarithms: a few
// answers that a busy machine delays by a hundredfold hardly move it.

export interface CostLimits {
  /** Texts of which the later half at least is known. */
  readonly texts: number;
  /** Characters of all of them. */
  readonly characters: number;
}

export const COST_LIMITS: CostLimits = { texts: 1024, characters: 524_288 };

/** What the latest answer counts for in the average. */
const WEIGHT = 1 / 4;
/** Milliseconds; shorter times say how answers arrived together, not how long they took. */
const SHORTEST_MS = 0.05;

export class StatementCosts {
  readonly #limits: CostLimits;
  /** Logarithms of milliseconds by text. What is not asked for while the later map fills is forgotten with the earlier one. */
  #later: Map<string, number> = new Map();
  #earlier: Map<string, number> = new Map();
  /** Of the later map. */
  #characters = 0;

  constructor(limits: CostLimits) {
    this.#limits = limits;
  }

  /** Milliseconds; undefined for a text that is new. */
  expected(text: string): number | undefined {
    const average = this.#find(text);
    return average === undefined ? undefined : Math.exp(average);
  }

  note(text: string, milliseconds: number): void {
    const latest = Math.log(Math.max(milliseconds, SHORTEST_MS));
    const former = this.#find(text) ?? latest;
    if (!this.#later.has(text)) this.#makeRoom(text);
    this.#later.set(text, former + WEIGHT * (latest - former));
  }

  #find(text: string): number | undefined {
    return this.#later.get(text) ?? this.#earlier.get(text);
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

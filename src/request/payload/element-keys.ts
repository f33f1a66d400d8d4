// The rules for the keys of a body's elements. An element that repeats the keys of an earlier one is not checked again.
import { sortedNames } from '../../util/code-points.ts';
import { MAX_NAMES } from './payload.ts';

export interface KeyRule {
  /** Distinct and in code-point order, up to `MAX_NAMES`. */
  readonly keys: readonly string[];
  /** What is wrong with an element that does not fit. */
  readonly fault: string;
  /** Returns whether the keys of a further element fit. */
  accept(names: ReadonlySet<string>): boolean;
}

/** All elements have the keys of the first. */
export class SameKeys implements KeyRule {
  readonly fault = 'All object keys must match';
  keys: readonly string[] = [];
  #isFirst = true;

  accept(names: ReadonlySet<string>): boolean {
    const keys = sortedNames(names);
    if (this.#isFirst) this.keys = keys;
    this.#isFirst = false;
    return keys.length === this.keys.length && keys.every((name, index) => name === this.keys[index]);
  }
}

const NONE: ReadonlySet<string> = new Set();

/** All elements have certain keys, and any others (`beyond.md` §2.3). */
export class RequiredKeys implements KeyRule {
  fault = 'Every element must be an object';
  readonly #required: readonly string[];
  readonly #all = new Set<string>();
  /** Undefined before the first element. */
  #common: ReadonlySet<string> | undefined;

  constructor(required: readonly string[]) {
    this.#required = required;
  }

  get keys(): readonly string[] {
    return sortedNames(this.#all);
  }

  /** Keys that every element has. */
  get common(): ReadonlySet<string> {
    return this.#common ?? NONE;
  }

  accept(names: ReadonlySet<string>): boolean {
    const missing = this.#required.find((name) => !names.has(name));
    if (missing !== undefined) {
      this.fault = `Every element needs the key '${missing}', which is listed in match`;
      return false;
    }
    for (const name of names) if (this.#all.size < MAX_NAMES) this.#all.add(name);
    this.#common = new Set([...(this.#common ?? names)].filter((name) => names.has(name)));
    return true;
  }
}

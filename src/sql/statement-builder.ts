// Collects a statement's parameters and hands out its internal table aliases while the text is rendered.
import { quoteIdentifier } from '../contract/identifiers.ts';
import type { ParameterValue } from '../contract/transaction.ts';

export class StatementBuilder {
  readonly #parameters: ParameterValue[] = [];
  readonly #reserved: string;
  /** Type of embedded values: json is faster to build, jsonb has the text form that CSV shows. */
  readonly nestedType: 'json' | 'jsonb';
  #aliases = 0;

  /** @param reserved the one table name in the statement that is not an alias of ours */
  constructor(reserved: string, nestedType: 'json' | 'jsonb' = 'json') {
    this.#reserved = reserved;
    this.nestedType = nestedType;
  }

  get parameters(): readonly ParameterValue[] {
    return this.#parameters;
  }

  /** @returns the placeholder of a new parameter */
  bind(value: ParameterValue): string {
    this.#parameters.push(value);
    return `$${this.#parameters.length}`;
  }

  /** @returns a quoted table alias that no other table of the statement has */
  alias(): string {
    this.#aliases += 1;
    const name = `_${this.#aliases}`;
    return name === this.#reserved ? this.alias() : quoteIdentifier(name);
  }
}

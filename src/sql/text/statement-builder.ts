// Collects a statement's parameters and hands out its internal table aliases while the text is rendered.
import { countBytes, cutToBytes, MAX_IDENTIFIER_BYTES, quoteIdentifier } from '../../contract/identifiers.ts';
import type { ParameterValue, Pieces } from '../../contract/transaction.ts';

/** Bytes of a name that leave room for a number. */
const LONGEST_PREFIX = 50;

export class StatementBuilder {
  readonly #parameters: ParameterValue[] = [];
  readonly #reserved: string;
  /** Type of embedded values: json is faster to build, jsonb has the text form that CSV shows. */
  readonly nestedType: 'json' | 'jsonb';
  #aliases = 0;
  #payloadParameter: number | undefined;

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

  /**
   * Binds the rows of the payload, which other rows of the same request may replace.
   *
   * @returns the placeholder of the new parameter
   */
  bindPayload(bytes: Pieces): string {
    this.#payloadParameter = this.#parameters.length;
    return this.bind(bytes);
  }

  /** Index of the parameter that holds the payload's rows; undefined: none does. */
  get payloadParameter(): number | undefined {
    return this.#payloadParameter;
  }

  /** @returns a quoted table alias that no other table of the statement has */
  alias(): string {
    return this.#number('_');
  }

  /**
   * An alias under which errors of PostgreSQL name an embed.
   * @param depth how many levels lie above
   * @returns the quoted alias, which no level above has, nor another kind of table of the same level
   */
  embedAlias(name: string, depth: number): string {
    const alias = `${name}_${depth}`;
    const isUsable = name !== '' && alias !== this.#reserved && countBytes(alias) <= MAX_IDENTIFIER_BYTES;
    return isUsable ? quoteIdentifier(alias) : this.#number(`${cutToBytes(name, LONGEST_PREFIX)}~`);
  }

  #number(prefix: string): string {
    this.#aliases += 1;
    const name = `${prefix}${this.#aliases}`;
    return name === this.#reserved ? this.#number(prefix) : quoteIdentifier(name);
  }
}

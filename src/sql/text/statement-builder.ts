// Collects the parameters of a statement and allocates its internal table aliases during rendering.
import { countBytes, cutToBytes, MAX_IDENTIFIER_BYTES, quoteIdentifier } from '../../contract/identifiers.ts';
import type { ParameterValue, Pieces } from '../../contract/transaction.ts';

/** In bytes; leaves room for a number. */
const LONGEST_PREFIX = 50;

export class StatementBuilder {
  readonly #parameters: ParameterValue[] = [];
  readonly #reserved: string;
  /** Type of embedded values: json is faster to build; jsonb has the text form that CSV shows. */
  readonly nestedType: 'json' | 'jsonb';
  #aliases = 0;
  #payloadParameter: number | undefined;

  /** @param reserved the only table name in the statement that is not a generated alias */
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
   * Binds the rows of the payload, which later batches of the same request may replace.
   *
   * @returns the placeholder of the new parameter
   */
  bindPayload(bytes: Pieces): string {
    this.#payloadParameter = this.#parameters.length;
    return this.bind(bytes);
  }

  /** Index of the parameter that contains the rows of the payload; undefined: none. */
  get payloadParameter(): number | undefined {
    return this.#payloadParameter;
  }

  /** @returns a quoted table alias that is unique in the statement */
  alias(): string {
    return this.#number('_');
  }

  /**
   * Allocates an alias that identifies an embed in PostgreSQL's errors.
   *
   * @param depth number of levels above
   * @returns the quoted alias, which differs from those of all levels above and of other kinds of tables at its level
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

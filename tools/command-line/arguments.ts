// Sorts the arguments of a command into switches, values, configuration options and operands. Node's `parseArgs` splits
// the arguments; this module validates them with the messages of `operating.md` §2.
import { parseArgs } from 'node:util';
import { appSettingKey } from '../../src/config/resolve/app-settings.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { suggest } from '../../src/util/suggest.ts';
import type { Flag, OptionFlag } from './flags.ts';

export interface Arguments {
  /** Names of the flags without a value. */
  readonly switches: ReadonlySet<string>;
  /** Values by flag name, in the order given. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Configuration options, by name. */
  readonly options: Readonly<Record<string, string>>;
  /** Arguments that are not flags. */
  readonly operands: readonly string[];
  /** The last of them, which follow `--`; undefined without it. */
  readonly trailing: readonly string[] | undefined;
}

export interface KnownFlags {
  readonly flags: readonly Flag[];
  readonly options: readonly OptionFlag[];
}

interface FoundFlag {
  readonly name: string;
  /** As written: `-h`. */
  readonly rawName: string;
  readonly value: string | undefined;
  /** Whether the value was joined with `=`. */
  readonly isInline: boolean;
}

const SETTINGS = appSettingKey('');
const MIN_SIMILARITY = 0.6;
const TRUTH_VALUE = /^(?:true|false|on|off|yes|no)$/iu;

/** An error is a message to print above the usage. It never repeats a value, which may be a secret. */
export function readArguments(args: readonly string[], known: KnownFlags): Result<Arguments, string> {
  const reader = new ArgumentReader(known);
  for (const token of cutArguments(args, known)) {
    const refusal =
      token.kind === 'option-terminator'
        ? reader.takeTerminator()
        : token.kind === 'positional'
          ? reader.takeOperand(token.value)
          : reader.takeFlag({ ...token, rawName: args[token.index] ?? '', isInline: token.inlineValue ?? false });
    if (refusal !== undefined) return fail(refusal);
  }
  return ok(reader.found);
}

/** Returns the index of the first operand; undefined if there is none before `--`. */
export function findFirstOperand(args: readonly string[], known: KnownFlags): number | undefined {
  const first = cutArguments(args, known).find(({ kind }) => kind !== 'option');
  return first?.kind === 'positional' ? first.index : undefined;
}

interface ArgumentsConfig {
  args: string[];
  options: Record<string, { type: 'string' | 'boolean'; short?: string }>;
  strict: false;
  allowPositionals: true;
  tokens: true;
}

function cutArguments(
  args: readonly string[],
  { flags, options }: KnownFlags,
): ReturnType<typeof parseArgs<ArgumentsConfig>>['tokens'] {
  const entries = [
    ...flags.map(({ name, letter, value }) => [name, value === undefined, letter] as const),
    ...options.map(({ name, isBoolean }) => [name, isBoolean, undefined] as const),
  ];
  const described = entries.map(
    ([name, isSwitch, short]) => [name, { type: isSwitch ? 'boolean' : 'string', ...(short && { short }) }] as const,
  );
  return parseArgs<ArgumentsConfig>({
    args: [...args],
    options: Object.fromEntries(described),
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;
}

class ArgumentReader {
  readonly #known: KnownFlags;
  readonly #switches = new Set<string>();
  readonly #values = new Map<string, readonly string[]>();
  readonly #options = new Map<string, string>();
  readonly #operands: string[] = [];
  /** How many operands precede `--`. */
  #leading: number | undefined;
  /** The preceding flag, if it is a Boolean option without a value. */
  #openOption: string | undefined;

  constructor(known: KnownFlags) {
    this.#known = known;
  }

  get found(): Arguments {
    return {
      switches: this.#switches,
      values: this.#values,
      options: Object.fromEntries(this.#options),
      operands: this.#operands,
      trailing: this.#leading === undefined ? undefined : this.#operands.slice(this.#leading),
    };
  }

  takeTerminator(): undefined {
    this.#leading = this.#operands.length;
  }

  /** @returns an error message, if the operand is rejected */
  takeOperand(text: string): string | undefined {
    if (this.#openOption !== undefined && TRUTH_VALUE.test(text)) return `Write --${this.#openOption}=${text}`;
    this.#openOption = undefined;
    this.#operands.push(text);
    return undefined;
  }

  /** @returns an error message, if the flag is rejected */
  takeFlag(found: FoundFlag): string | undefined {
    this.#openOption = undefined;
    const option = this.#known.options.find(({ name }) => name === found.name);
    if (option !== undefined) return this.#takeOption(option, found);
    if (found.name.startsWith(SETTINGS) && this.#known.options.length > 0) return this.#takeSetting(found);
    const flag = this.#known.flags.find(({ name }) => name === found.name);
    if (flag === undefined) return this.#refuse(found);
    if (flag.value !== undefined) return this.#takeValue(flag, found);
    if (found.value !== undefined) return `--${flag.name} takes no value`;
    this.#switches.add(flag.name);
    return undefined;
  }

  #takeOption(flag: OptionFlag, found: FoundFlag): string | undefined {
    if (!flag.isBoolean && isMissing(found)) return renderMissingValue(flag);
    if (flag.isBoolean && found.value === undefined) this.#openOption = flag.name;
    this.#options.set(flag.option, found.value ?? 'true');
    return undefined;
  }

  #takeSetting({ name, value }: FoundFlag): string | undefined {
    if (value === undefined) return `--${name} requires a value: --${name}=TEXT`;
    this.#options.set(name, value);
    return undefined;
  }

  #takeValue(flag: Flag, found: FoundFlag): string | undefined {
    if (isMissing(found) || found.value === '') return renderMissingValue(flag);
    this.#values.set(flag.name, [...(this.#values.get(flag.name) ?? []), found.value ?? '']);
    return undefined;
  }

  #refuse({ name, rawName }: FoundFlag): string {
    const isLong = rawName.startsWith('--');
    const names = [...this.#known.flags, ...this.#known.options].map((flag) => flag.name);
    const suggestion = isLong ? suggest(names, name, { minimum: MIN_SIMILARITY }) : undefined;
    const refusal = `Invalid option: ${isLong ? `--${name}` : rawName}`;
    return suggestion === undefined ? refusal : `${refusal}\nDid you mean --${suggestion}?`;
  }
}

/** A flag where a value is expected means that the value was forgotten. */
function isMissing({ value, isInline }: FoundFlag): boolean {
  return value === undefined || (!isInline && value.startsWith('-'));
}

function renderMissingValue({ name, value }: Flag): string {
  return `--${name} requires a value: --${name}=${value}`;
}

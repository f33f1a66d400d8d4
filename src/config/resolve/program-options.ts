// Converts the options that a program passes, by the keys and types of the option table, to the text that any other
// source would use.
import type { ExtensionName } from '../../contract/extensions.ts';
import type { RateLimit } from '../../contract/rate-limit.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { AppConfig, FunctionReference } from '../table/app-config.ts';
import { appSettingKey } from './app-settings.ts';
import type { OptionKey } from '../table/option.ts';
import { OPTIONS, printOptionValue, PUBLIC_OPTION_KEYS } from '../table/options.ts';

type PublicKey = Exclude<OptionKey, `internal${string}`>;

/** Functions are written `schema.function`, rates `50/s burst 100`; secrets are text and may be `@` with the name of a file. */
type ProgramValue<T> = T extends FunctionReference | RateLimit | Uint8Array ? string : T;

/** Every option by its name in camel case; `undefined` leaves it unset. */
export type ProgramOptions = {
  readonly [Key in keyof Pick<AppConfig, Exclude<PublicKey, 'extensions'>>]?: ProgramValue<AppConfig[Key]> | undefined;
} & {
  /** The enabled ones. */
  readonly extensions?: readonly ExtensionName[] | undefined;
  /** Values that SQL reads as `app.settings.…`, keyed by the rest of the name. */
  readonly appSettings?: Readonly<Record<string, string>> | undefined;
};

/** @returns texts by option name as in a file; the error is a sentence for the programmer */
export function printProgramOptions(options: ProgramOptions): Result<Readonly<Record<string, string>>, string> {
  const { appSettings = {}, ...others } = options;
  const texts = new Map(Object.entries(appSettings).map(([name, text]) => [appSettingKey(name), text]));
  for (const [name, value] of Object.entries(others)) {
    const key = PUBLIC_OPTION_KEYS.find((known) => known === name);
    if (key === undefined) return fail(describeUnknown(name));
    const text =
      typeof value === 'string' ? value : isNameList(key, value) ? printNames(value) : printOptionValue(key, value);
    if (Array.isArray(value) && value.some((item: string) => item.includes(',')))
      return fail(`Names in ${key} cannot contain a comma: ${text}`);
    if (text !== undefined) texts.set(OPTIONS[key].name, text);
  }
  return ok(Object.fromEntries(texts));
}

/** A program lists the extensions; an option has all of them, enabled or not. */
function isNameList(key: OptionKey, value: unknown): value is readonly string[] {
  return key === 'extensions' && Array.isArray(value);
}

function printNames(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(',');
}

function describeUnknown(name: string): string {
  const known = PUBLIC_OPTION_KEYS.find((key) => OPTIONS[key].name === name);
  return known === undefined ? `Unknown option ${name}` : `Unknown option ${name}. In a program, use ${known}.`;
}

// Options as a program states them, by the keys and with the types of the option table → the text by which any source could
// state them.
import { fail, ok, type Result } from '../../contract/result.ts';
import type { AppConfig, FunctionReference } from '../table/app-config.ts';
import { appSettingKey } from './app-settings.ts';
import type { OptionKey } from '../table/option.ts';
import { OPTIONS, printOptionValue, PUBLIC_OPTION_KEYS } from '../table/options.ts';

type PublicKey = Exclude<OptionKey, `internal${string}`>;

/** Functions are named `schema.function`, and what may stand in a file is text: `@` and the name of the file. */
type Stated<T> = T extends FunctionReference | Uint8Array ? string : T;

/** Every option by its name in camel case; undefined states nothing. */
export type ProgramOptions = {
  readonly [Key in keyof Pick<AppConfig, PublicKey>]?: Stated<AppConfig[Key]> | undefined;
} & {
  /** What SQL reads as `app.settings.…`, by the name after that prefix. */
  readonly appSettings?: Readonly<Record<string, string>> | undefined;
};

/** @returns texts by the name of the option in a file; the error is a sentence for the programmer */
export function printProgramOptions(options: ProgramOptions): Result<Readonly<Record<string, string>>, string> {
  const { appSettings = {}, ...others } = options;
  const texts = new Map(Object.entries(appSettings).map(([name, text]) => [appSettingKey(name), text]));
  for (const [name, value] of Object.entries(others)) {
    const key = PUBLIC_OPTION_KEYS.find((known) => known === name);
    if (key === undefined) return fail(describeUnknown(name));
    const text = typeof value === 'string' ? value : printOptionValue(key, value);
    if (Array.isArray(value) && value.some((item: string) => item.includes(',')))
      return fail(`No name in ${key} can have a comma: ${text}`);
    if (text !== undefined) texts.set(OPTIONS[key].name, text);
  }
  return ok(Object.fromEntries(texts));
}

function describeUnknown(name: string): string {
  const known = PUBLIC_OPTION_KEYS.find((key) => OPTIONS[key].name === name);
  return known === undefined ? `There is no option ${name}` : `There is no option ${name}: in a program it is ${known}`;
}

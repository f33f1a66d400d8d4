// One configuration option as the table describes it, and the names by which the sources know it (`operating.md` §1.5).
import type { Dialect } from '../../contract/dialect.ts';
import type { AppConfig } from './app-config.ts';
import type { OptionType } from './option-types.ts';

/** The parts of `AppConfig` that are options: `app.settings.*` has no fixed names, the others are derived. */
export type OptionKey = Exclude<
  keyof AppConfig,
  'appSettings' | 'complaints' | 'environmentPrefix' | 'jwtCacheMaxEntriesIsSet'
>;

export interface Option<T> {
  readonly name: string;
  /** Older names, looked up when the name itself yields nothing. */
  readonly aliases?: readonly string[];
  readonly type: OptionType<NonNullable<T>>;
  readonly default: T;
  /** The default where it is not the same in every dialect. */
  readonly defaultIn?: (dialect: Dialect) => NonNullable<T>;
  /** The option whose value is the default. */
  readonly follows?: 'serverHost';
  readonly doc: string;
  /** A typical value, for options without a default. */
  readonly example?: string;
  /** Stating the default is not the same as stating nothing, so examples must not state it. */
  readonly isSwitch?: true;
  /** Effective only at start-up. */
  readonly isFixed?: true;
  /** Can be set by `ALTER ROLE` and by the pre-config function. */
  readonly isInDatabase?: true;
  /** `always` when absent. `never` also hides the option from help, examples and schema. */
  readonly dump?: 'whenChanged' | 'never';
}

/** Every option; one that is missing or of another type than in `AppConfig` does not compile. */
export type OptionTable = { readonly [Key in OptionKey]: Option<AppConfig[Key]> };

/** The options whose keys begin with one of the prefixes. */
export type OptionGroup<Prefix extends string> = Pick<OptionTable, Extract<OptionKey, `${Prefix}${string}`>>;

/** @param prefix of the dialect whose variables are read: `SVC_` */
export function environmentName(optionName: string, prefix: string): string {
  return prefix + optionName.toUpperCase().replaceAll('-', '_');
}

/** The name after the settings prefix: `db_schemas`. */
export function inDatabaseName(optionName: string): string {
  return optionName.replaceAll('-', '_');
}

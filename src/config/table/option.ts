// Describes one configuration option and its names in each source (`operating.md` §1.5).
import type { Dialect } from '../../contract/dialect.ts';
import type { AppConfig } from './app-config.ts';
import type { OptionType } from './option-types.ts';

/** The keys of `AppConfig` that are options: `app.settings.*` has no fixed names, and the others are derived. */
export type OptionKey = Exclude<
  keyof AppConfig,
  'appSettings' | 'warnings' | 'environmentPrefix' | 'jwtCacheMaxEntriesIsSet'
>;

export interface Option<T> {
  readonly name: string;
  /** Older names, used if the name itself has no usable value. */
  readonly aliases?: readonly string[];
  readonly type: OptionType<NonNullable<T>>;
  readonly default: T;
  /** Computes the default if it differs between dialects. */
  readonly defaultIn?: (dialect: Dialect) => NonNullable<T>;
  /** The option whose value serves as the default. */
  readonly follows?: 'serverHost';
  readonly doc: string;
  /** A typical value, for options without a default. */
  readonly example?: string;
  /** Setting the option to its default differs from leaving it unset, so examples must not set it. */
  readonly isSwitch?: true;
  /** Read only at startup. */
  readonly isFixed?: true;
  /** Can be set with `ALTER ROLE` and by the pre-config function. */
  readonly isInDatabase?: true;
  /** PostgREST does not have the option. */
  readonly isOwn?: true;
  /** Hidden from dump, help, examples and schema. */
  readonly isInternal?: true;
}

/** Every option; a missing one, or one whose type differs from `AppConfig`, does not compile. */
export type OptionTable = { readonly [Key in OptionKey]: Option<AppConfig[Key]> };

/** The options whose keys begin with one of the prefixes. */
export type OptionGroup<Prefix extends string> = Pick<OptionTable, Extract<OptionKey, `${Prefix}${string}`>>;

/** @param prefix the dialect's prefix of variables: `SVC_` */
export function environmentName(optionName: string, prefix: string): string {
  return prefix + optionName.toUpperCase().replaceAll('-', '_');
}

/** Returns the name after the settings prefix: `db_schemas`. */
export function inDatabaseName(optionName: string): string {
  return optionName.replaceAll('-', '_');
}

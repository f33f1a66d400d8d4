// Finds mistakes in the sources: unknown names, and values that an option does not accept. A server refuses to start
// with most of them; a dump only warns of unknown names.
import { type Dialect, DIALECTS } from '../../contract/dialect.ts';
import { isAppSettingKey, isAppSettingVariable } from './app-settings.ts';
import { findSourceValues, type NamedSources, placeOfKey } from './config-sources.ts';
import { type ConfigValue, readText } from '../syntax/config-value.ts';
import { environmentName, type OptionKey } from '../table/option.ts';
import { OPTION_KEYS, OPTION_NAMES, OPTIONS, PUBLIC_OPTION_NAMES } from '../table/options.ts';
import { editDistance } from '../../util/suggest.ts';

export interface Mistake {
  /** A sentence without the final period. */
  readonly text: string;
  /** The commands that end with this error; the others ignore the mistake with a warning. */
  readonly refusedBy: 'none' | 'servers' | 'all';
}

export function findMistakes(sources: NamedSources, dialect: Dialect): readonly Mistake[] {
  return [
    ...findUnknownKeys(sources).map((text) => describeUnknownName(text, dialect)),
    ...findUnknownVariables(sources).map((text) => describeUnknownName(text, findOwner(sources, dialect))),
    ...OPTION_KEYS.flatMap((key) => findInvalidValues(key, sources, dialect)),
  ];
}

function describeUnknownName(text: string, { refusesUnknownNames }: Dialect): Mistake {
  return { text, refusedBy: refusesUnknownNames ? 'servers' : 'none' };
}

/** Variables with another dialect's prefix may belong to another program. */
function findOwner({ environmentPrefix }: NamedSources, dialect: Dialect): Dialect {
  return Object.values(DIALECTS).find((each) => each.environmentPrefix === environmentPrefix) ?? dialect;
}

/** Ignores keys that exist only to be interpolated into other values. */
function findUnknownKeys(sources: NamedSources): readonly string[] {
  return [...sources.file.keys()]
    .filter((key) => !OPTION_NAMES.has(key) && !isAppSettingKey(key) && !sources.fileVariables.has(key))
    .map((key) => `${key} in ${placeOfKey(key, sources)} is no option${suggest(key, PUBLIC_OPTION_NAMES)}`);
}

function findUnknownVariables({ environment, environmentPrefix: prefix }: NamedSources): readonly string[] {
  const known = new Set([...OPTION_NAMES].map((name) => environmentName(name, prefix)));
  const choices = PUBLIC_OPTION_NAMES.map((name) => environmentName(name, prefix));
  // Container platforms set variables for every service; their names start with the service name, which may be our
  // prefix.
  return [...environment]
    .filter(([name]) => name.startsWith(prefix) && !known.has(name) && !isAppSettingVariable(name, prefix))
    .filter(([name, value]) => !(LINK_NAME.test(`_${name}`) || LINK_VALUE.test(value)))
    .map(([name]) => `the variable ${name} is no option${suggest(name, choices)}`);
}

const LINK_NAME = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/u;
const LINK_VALUE = /^(?:tcp|udp|sctp):\/\//u;

/**
 * An unreadable value ends every command, unless the dialect takes the default (`operating.md` §1.3). A number out of
 * range ends the start of a server.
 */
function findInvalidValues(key: OptionKey, sources: NamedSources, dialect: Dialect): readonly Mistake[] {
  const { name, type } = OPTIONS[key];
  const { requirement } = type;
  if (requirement === undefined) return [];
  return findSourceValues(OPTIONS[key], sources)
    .filter(({ value }) => !requirement.isMet(value))
    .map(({ value, place }) => {
      const read = type.parse(value, name);
      const isUnreadable = read.ok && read.value === undefined;
      const refusedBy = !isUnreadable ? 'servers' : dialect.refusesUnreadableValues ? 'all' : 'none';
      const text = `${name}: ${print(value)} in ${place}, where ${requirement.allowed} is allowed`;
      return { text, refusedBy };
    });
}

function print(value: ConfigValue): string {
  return value.kind === 'text' ? JSON.stringify(value.text) : (readText(value) ?? 'a list');
}

/** Maximum share of mistyped letters in a name. */
const MAX_TYPO_RATIO = 1 / 3;

/** Suggests the most similar name; otherwise says where names are listed. */
function suggest(name: string, choices: readonly string[]): string {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length * MAX_TYPO_RATIO)) + 1;
  for (const choice of choices) {
    const distance = editDistance(name.toLowerCase(), choice.toLowerCase());
    if (distance >= bestDistance) continue;
    best = choice;
    bestDistance = distance;
  }
  return best === undefined ? '; `rowhouse --help` lists them' : `; did you mean ${best}?`;
}

// Evaluates the configuration file and its imports to values by full key (`operating.md` §1.2). Pure: the caller passes
// in file access and the environment.
import { fail, ok, type Result } from '../../contract/result.ts';
import { describePlace } from './config-cursor.ts';
import { interpolate } from './config-string.ts';
import { type ConfigEntry, parseConfigSyntax } from './config-syntax.ts';
import { type ConfigValue, readText } from './config-value.ts';

export type ConfigEntries = ReadonlyMap<string, ConfigValue>;

export interface ConfigFile {
  readonly entries: ConfigEntries;
  /** Keys that other values of the file interpolate. */
  readonly variables: ReadonlySet<string>;
}

export interface ConfigFileSources {
  /** Returns the text of a file, or the system's error text with the path. */
  readonly readFile: (path: string) => Result<string, string>;
  readonly environment: ReadonlyMap<string, string>;
}

interface Evaluation {
  readonly sources: ConfigFileSources;
  /** Filled in reading order, so the last of several equal keys wins. */
  readonly values: Map<string, ConfigValue>;
  readonly variables: Set<string>;
}

interface Scope {
  /** The keys of the enclosing groups, each with a dot; `''` at the top level. */
  readonly prefix: string;
  readonly path: string;
  readonly text: string;
  /** Number of nested imports. */
  readonly depth: number;
}

type Done = Result<undefined, string>;

const DONE: Done = ok(undefined);
/** Stops files that import themselves under any spelling of their path. */
const MAX_IMPORT_DEPTH = 20;

/** Errors contain file, line and column. */
export function parseConfigFile(path: string, sources: ConfigFileSources): Result<ConfigFile, string> {
  const values = new Map<string, ConfigValue>();
  const variables = new Set<string>();
  const done = evaluateFile({ sources, values, variables }, { prefix: '', path, depth: 0 });
  return done.ok ? ok({ entries: values, variables }) : done;
}

function evaluateFile(evaluation: Evaluation, place: Omit<Scope, 'text'>): Done {
  const text = evaluation.sources.readFile(place.path);
  if (!text.ok) return text;
  const scope: Scope = { ...place, text: text.value };
  const entries = parseConfigSyntax(text.value);
  if (entries.ok) return evaluateEntries(evaluation, entries.value, scope);
  return failAt(scope, entries.error.offset, `parse error: ${entries.error.message}`);
}

function failAt(scope: Scope, offset: number, message: string): Done {
  return fail(`${describePlace(scope.path, scope.text, offset)}: ${message}`);
}

function evaluateEntries(evaluation: Evaluation, entries: readonly ConfigEntry[], scope: Scope): Done {
  for (const entry of entries) {
    const done = evaluateEntry(evaluation, entry, scope);
    if (!done.ok) return done;
  }
  return DONE;
}

function evaluateEntry(evaluation: Evaluation, entry: ConfigEntry, scope: Scope): Done {
  if (entry.kind === 'import') {
    const target = interpolate(entry.path, (name) => lookUp(evaluation, name));
    if (!target.ok) return failAt(scope, entry.offset, target.error);
    if (scope.depth >= MAX_IMPORT_DEPTH) return failAt(scope, entry.offset, 'too many nested imports');
    // The path is relative to the importing file.
    const isAbsolute = /^(?:[\\/]|[A-Za-z]:)/.test(target.value);
    const directory = /^.*[\\/]/s.exec(scope.path)?.[0] ?? '';
    const path = isAbsolute ? target.value : directory + target.value;
    return evaluateFile(evaluation, { prefix: scope.prefix, path, depth: scope.depth + 1 });
  }
  const key = scope.prefix + entry.key;
  if (entry.kind === 'group') return evaluateEntries(evaluation, entry.entries, { ...scope, prefix: `${key}.` });
  const value = replaceVariables(evaluation, entry.value);
  if (!value.ok) return failAt(scope, entry.offset, value.error);
  evaluation.values.set(key, value.value);
  return DONE;
}

function replaceVariables(evaluation: Evaluation, value: ConfigValue): Result<ConfigValue, string> {
  if (value.kind === 'text') {
    const text = interpolate(value.text, (name) => lookUp(evaluation, name));
    return text.ok ? ok({ kind: 'text', text: text.value }) : text;
  }
  if (value.kind !== 'list') return ok(value);
  const items: ConfigValue[] = [];
  for (const item of value.items) {
    const replaced = replaceVariables(evaluation, item);
    if (!replaced.ok) return replaced;
    items.push(replaced.value);
  }
  return ok({ kind: 'list', items });
}

/** Booleans and lists have no text to interpolate, so the environment is used instead. */
function lookUp(evaluation: Evaluation, name: string): string | undefined {
  const value = evaluation.values.get(name);
  const hasText = value?.kind === 'text' || value?.kind === 'number';
  if (!hasText) return evaluation.sources.environment.get(name);
  evaluation.variables.add(name);
  return readText(value);
}

// Which of the sources the built program loads. V8 lists the scripts, and their source maps the modules in them.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(import.meta.dirname, '../../..');

export interface LoadedModules {
  /** Value of `NODE_V8_COVERAGE`. */
  readonly folder: string;
  /** Lists the sources of all processes that have ended, and forgets them. */
  take(): readonly string[];
}

/** @param place an existing folder */
export function listLoadedModules(place: string): LoadedModules {
  const folder = path.join(place, 'coverage');
  return {
    folder,
    take() {
      const coverage = readdirSync(folder).map((name) => path.join(folder, name));
      const scripts = new Set(coverage.flatMap(listScripts));
      for (const file of coverage) rmSync(file);
      return [...scripts].flatMap(listSources);
    },
  };
}

function listScripts(coverage: string): readonly string[] {
  const { result } = JSON.parse(readFileSync(coverage, 'utf8')) as {
    readonly result: readonly { readonly url: string }[];
  };
  return result.filter(({ url }) => url.startsWith('file:')).map(({ url }) => fileURLToPath(url));
}

function listSources(script: string): readonly string[] {
  // A chunk that only exports what others contain has no map.
  if (!script.startsWith(path.join(ROOT, 'dist')) || !existsSync(`${script}.map`)) return [];
  const { sources } = JSON.parse(readFileSync(`${script}.map`, 'utf8')) as { readonly sources: readonly string[] };
  return sources.map((source) => path.relative(ROOT, path.resolve(path.dirname(script), source)));
}

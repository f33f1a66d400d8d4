// Builds the explorer into dist/explorer: `index.html` for `/`, `admin.html` for `/` of the admin server, and their
// assets for `/explorer/`. URLs are relative, so that the same build works under any base path.
import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'vite';

/** What loads on demand, by the folders of `src`; all others are views. */
const ON_DEMAND = {
  tools: /explorer\/src\/(?:access|admin|help|history|plan|reference|schema|sql)\//u,
  writes: /explorer\/src\/(?:basket|builder|copy|facets|forms|record|rows|saves)\//u,
};

/** The start page loads it when it has drawn everything else. */
const EDITOR = /explorer\/src\/(?:complete|editor|request-bar)\//u;

interface Modules {
  getModuleInfo(id: string): { readonly isEntry: boolean; readonly importers: readonly string[] } | null;
}

/** Whether a page loads the module at once. @param seen modules that were asked for before, which import each other */
function isNeededFirst(id: string, modules: Modules, seen: Set<string> = new Set()): boolean {
  const info = modules.getModuleInfo(id);
  if (info === null || seen.has(id)) return false;
  seen.add(id);
  return info.isEntry || info.importers.some((importer) => isNeededFirst(importer, modules, seen));
}

/** Many small files would load more slowly, because each is a request and compresses badly. */
function nameChunk(id: string, modules: Modules): string | null {
  if (!id.includes('explorer/src/') || EDITOR.test(id) || isNeededFirst(id, modules)) return null;
  return Object.entries(ON_DEMAND).find(([, folders]) => folders.test(id))?.[0] ?? 'views';
}

const config: UserConfig = defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/explorer',
    emptyOutDir: true,
    assetsDir: 'explorer',
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    rolldownOptions: {
      // Depends on how busy the machine is.
      checks: { bundlerTimings: false },
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: nameChunk }] } },
      input: { index: 'explorer/index.html', admin: 'explorer/admin.html' },
    },
  },
});

export default config;

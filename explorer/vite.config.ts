// Builds the explorer into dist/explorer: `index.html` for `/`, `admin.html` for `/` of the admin server, and their
// assets for `/explorer/`. URLs are relative, so that the same build works under any base path.
import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'vite';

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
      input: { index: 'explorer/index.html', admin: 'explorer/admin.html' },
    },
  },
});

export default config;

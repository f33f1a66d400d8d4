// Builds the pages that the server shows to browsers into dist/explorer: `index.html` at `/`, `admin.html` at the admin
// server's `/`, and what they load below `/explorer/`. Addresses are relative, so that a base path needs no other build.
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

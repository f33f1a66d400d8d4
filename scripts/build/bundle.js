// Puts bundles in the place of the built program and library: a start then reads a few files, not hundreds. What is
// imported when it is used stays in files of its own. The other built modules are for tests and scripts, and not packed.
import { rmSync } from 'node:fs';
import { rolldown } from 'rolldown';

// Names of chunks change with their content.
rmSync('dist/chunks', { recursive: true, force: true });
const bundle = await rolldown({
  input: { 'cli/main': 'src/cli/main.ts', 'cli/worker': 'src/cli/worker.ts', index: 'src/index.ts' },
  platform: 'node',
  external: ['pg', 'koffi'],
  transform: { target: 'node20.19' },
});
await bundle.write({ dir: 'dist', sourcemap: true, chunkFileNames: 'chunks/[name]-[hash].js' });
await bundle.close();

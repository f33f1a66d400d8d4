// Replaces the built program and library by bundles, so that a start reads a few files instead of hundreds. Dynamic
// imports stay in separate chunks. The unbundled modules are only for tests and scripts, and not packed.
//
// V8 keeps the text of a module as long as it runs: in one byte per character only if all of them are ASCII. Comments and
// white space are removed, names stay, so that stack traces name functions; source maps lead to the lines.
import { rmSync } from 'node:fs';
import { rolldown } from 'rolldown';

// Chunk names change with their content, so remove old ones.
rmSync('dist/chunks', { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    'cli/main': 'tools/main.ts',
    'cli/worker': 'src/server/worker.ts',
    index: 'src/index.ts',
    'testing/index': 'tools/testing/index.ts',
    'testing/keeper': 'tools/testing/keeper-main.ts',
  },
  platform: 'node',
  external: ['pg', 'koffi', '@opentelemetry/api', /^@modelcontextprotocol\//, /^@supabase\/pg-delta/],
  transform: { target: 'node20.19' },
  // Depends on how busy the machine is.
  checks: { bundlerTimings: false },
});
await bundle.write({
  dir: 'dist',
  sourcemap: true,
  chunkFileNames: 'chunks/[name]-[hash].js',
  charset: 'ascii',
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();

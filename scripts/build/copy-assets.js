// Copies files that the compiler ignores into the build: the SQL of the demo, and the entry of `rowhouse/testing` for
// CommonJS.
import { copyFileSync, mkdirSync } from 'node:fs';

mkdirSync('dist/demo', { recursive: true });
copyFileSync('tools/demo/demo.sql', 'dist/demo/demo.sql');
mkdirSync('dist/testing', { recursive: true });
copyFileSync('tools/testing/index.cjs', 'dist/testing/index.cjs');

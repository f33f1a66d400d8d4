// Copies files that the compiler ignores into the build: the SQL of the demo.
import { copyFileSync, mkdirSync } from 'node:fs';

mkdirSync('dist/demo', { recursive: true });
copyFileSync('tools/demo/demo.sql', 'dist/demo/demo.sql');

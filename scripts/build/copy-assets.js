// Copies files that the compiler ignores into the build: the SQL of the demo.
import { copyFileSync, mkdirSync } from 'node:fs';

mkdirSync('dist/embedded', { recursive: true });
copyFileSync('src/embedded/demo.sql', 'dist/embedded/demo.sql');

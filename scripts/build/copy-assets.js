// Copies into the build what the compiler does not: the demo's SQL.
import { copyFileSync, mkdirSync } from 'node:fs';

mkdirSync('dist/embedded', { recursive: true });
copyFileSync('src/embedded/demo.sql', 'dist/embedded/demo.sql');

// Takes away what former builds left, so that a package holds nothing that the source no longer has.
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });

// The program that a worker runs, in the package, be it run as built or from its source.
import { fileURLToPath } from 'node:url';

export const WORKER_PROGRAM: string = fileURLToPath(new URL('../../dist/cli/worker.js', import.meta.url));

// Path of the program that a worker runs. Correct both for built code and when run from source.
import { fileURLToPath } from 'node:url';

export const WORKER_PROGRAM: string = fileURLToPath(new URL('../../dist/cli/worker.js', import.meta.url));

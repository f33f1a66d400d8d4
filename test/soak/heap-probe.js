// Loaded into the server before its own code (`node --import …?file=…`): writes into a file, every few seconds, how many
// bytes of the heap are still in use after a full collection. Needs `--expose-gc`.
import { writeFileSync } from 'node:fs';
import process from 'node:process';

const MILLISECONDS = 10_000;
const file = new URL(import.meta.url).searchParams.get('file');

function write() {
  globalThis.gc();
  writeFileSync(file, String(process.memoryUsage().heapUsed));
}

write();
setInterval(write, MILLISECONDS).unref();

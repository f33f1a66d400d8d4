// Preloaded into the server (`node --import …?file=…`): writes the bytes of the heap still in use after a full
// collection to a file every few seconds. Needs `--expose-gc`.
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

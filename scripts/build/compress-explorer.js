// Writes gzip and Brotli versions of every explorer file.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const FOLDER = 'dist/explorer';

for (const name of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(?:html|js|css|svg)$/u.test(name)) continue;
  const file = path.join(FOLDER, name);
  const bytes = readFileSync(file);
  const parameters = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: parameters }));
}

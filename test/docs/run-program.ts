// Runs a block of JavaScript or TypeScript and returns its output. TypeScript is checked as strictly as in a new
// project.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { PageStage } from './page-stage.ts';

const COMPILER = path.join(path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const STRICT =
  '--ignoreConfig --strict --target es2023 --lib es2023,dom --module nodenext --skipLibCheck --types node'.split(' ');

export async function runProgram(language: 'js' | 'ts', text: string, stage: PageStage): Promise<string> {
  const file = path.join(stage.folder, `block.${language}`);
  writeFileSync(file, await stage.point(text));
  if (language === 'ts') {
    const { code, output } = await run([COMPILER, ...STRICT, file], stage);
    if (code !== 0) throw new Error(output);
  }
  const { code, output } = await run([path.join(stage.folder, 'block.js')], stage);
  if (code !== 0) throw new Error(output);
  return output;
}

async function run(
  args: readonly string[],
  { folder: cwd, uri, token }: PageStage,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const env = { ...process.env, DATABASE_URL: uri, TOKEN: token };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

// The first block of README.md, played: a new project, two saved files, the answer of the API, and the project's tests.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeProject } from '../../../tools/new/write-project.ts';
import { readPage } from '../../docs/read-page.ts';
import { readMarkdown, ROOT } from '../../docs/read-pages.ts';
import { useFolders } from '../project/folder.ts';
import { useDev } from '../project/started-dev.ts';

const createFolder = useFolders();
const start = useDev();

const LOOP = readPage(readMarkdown('README.md'))[0]?.text ?? '';
/** Each file with its changed lines, and the report of the save. */
const SAVES = [...LOOP.matchAll(/^# (\S+): .*\n((?:[+ -] .*\n|[+-]\S.*\n)+)(\S.*), \d+\.\d\d s$/gmu)].map(
  ([, file = '', lines = '', report = '']) => ({ file, lines: lines.trimEnd().split('\n'), report }),
);
const [, REQUEST = '', ANSWER = ''] = /^\$ curl 'localhost:3000(.*)'\n(.*)$/mu.exec(LOOP) ?? [];
const [, FAILURE = ''] = /^\$ npm test\n([\s\S]*)$/mu.exec(LOOP) ?? [];

/** The lines that a change begins or ends with. */
function linesOf(lines: readonly string[], signs: string): string {
  return lines
    .filter((line) => signs.includes(line.charAt(0)))
    .map((line) => line.slice(1))
    .join('\n');
}

function runTests(folder: string): Promise<string> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--test'], { cwd: folder, env: { PATH, HOME } }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

test('the loop on the first screen of README.md runs as shown', async () => {
  const folder = createFolder({});
  expect(writeProject(folder, 'shop', { kind: 'registry', version: '0.1.0' })).toEqual({ ok: true });
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(ROOT, path.join(folder, 'node_modules/rowhouse'));
  const dev = await start(folder);
  expect(SAVES.map(({ file }) => file)).toEqual(['schema/products.sql', 'schema/orders.sql']);
  for (const { file, lines, report } of SAVES) {
    const before = readFileSync(path.join(folder, file), 'utf8');
    expect(before).toContain(linesOf(lines, ' -'));
    const printed = await dev.save({ [file]: before.replace(linesOf(lines, ' -'), () => linesOf(lines, ' +')) });
    expect(printed).toContain(`${report}, `);
  }
  expect(JSON.parse((await dev.get(REQUEST)).text)).toEqual(JSON.parse(ANSWER));
  const output = await runTests(folder);
  for (const line of FAILURE.trimEnd().split('\n')) expect(output).toContain(line);
});

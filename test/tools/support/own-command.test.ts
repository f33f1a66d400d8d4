import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findOwnCommand, locateOwnFile, PACKAGE_ROOT } from '../../../tools/support/own-command.ts';
import { useFolder } from '../../support/use.ts';

const folder: string = realpathSync(useFolder());
const program: string = path.join(folder, 'main.js');
writeFileSync(program, '');
for (const place of ['app/node_modules/.bin', 'app/src/deep', 'bin', 'empty', 'cache/node_modules/.bin']) {
  mkdirSync(path.join(folder, place), { recursive: true });
  if (place.endsWith('bin')) symlinkSync(program, path.join(folder, place, 'rowhouse'));
}

test.each([
  ['in the clone', path.resolve(import.meta.dirname, '../../../docs'), '', 'npx rowhouse'],
  ['in the folder where it is installed', 'app', '', 'npx rowhouse'],
  ['below that folder', 'app/src/deep', '', 'npx rowhouse'],
  ['with a global installation', 'empty', 'bin', 'rowhouse'],
  ['in the cache of npx, which is on the path only temporarily', 'empty', 'cache/node_modules/.bin', undefined],
  ['without any installation', 'empty', '', undefined],
])('finds the command %s', (_, place, variable, command) => {
  const location = { folder: path.resolve(folder, place), program, path: path.resolve(folder, variable) };
  expect(findOwnCommand(location)).toBe(command ?? `node ${program}`);
});

test('a file name with spaces is quoted', () => {
  const odd = path.join(folder, 'ma in.js');
  writeFileSync(odd, '');
  expect(findOwnCommand({ folder: path.join(folder, 'empty'), program: odd, path: '' })).toBe(`node "${odd}"`);
});

test('a file of the package is named so that it is found in the working directory', () => {
  expect(locateOwnFile('docs/check.md', PACKAGE_ROOT)).toBe('docs/check.md');
  const project = path.dirname(path.dirname(PACKAGE_ROOT));
  expect(locateOwnFile('docs/check.md', project)).toBe(
    path.relative(project, path.join(PACKAGE_ROOT, 'docs/check.md')),
  );
  expect(locateOwnFile('docs/check.md', path.join(PACKAGE_ROOT, 'src'))).toBe(path.join(PACKAGE_ROOT, 'docs/check.md'));
});

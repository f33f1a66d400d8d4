// Shell completion: runs the bash script, and checks the words that each of the scripts contains.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { renderCompletion } from '../../../tools/command-line/completion.ts';
import { PROGRAM } from '../../../tools/commands/index.ts';
import { PUBLIC_OPTION_KEYS, OPTIONS } from '../../../src/config/table/options.ts';

/** Returns the completions that bash offers for the last word. */
function completeInBash(...words: readonly string[]): readonly string[] {
  const script = `${renderCompletion(PROGRAM, 'bash')}
COMP_WORDS=(rowhouse ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_rowhouse
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const text = execFileSync('bash', ['-c', script], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    encoding: 'utf8',
  });
  return text.split('\n').filter((word) => word !== '');
}

test('bash completes commands, configuration options and the flags of a command', () => {
  expect(completeInBash('ty')).toEqual(['types']);
  expect(completeInBash('--db-anon')).toEqual(['--db-anon-role']);
  expect(completeInBash('--demo', '--dump-')).toEqual(['--dump-config', '--dump-schema']);
  expect(completeInBash('sql', '--d')).toEqual(['--database']);
  expect(completeInBash('types', '--db-tx')).toEqual(['--db-tx-end']);
  expect(completeInBash('completion', 'z')).toEqual(['zsh']);
});

test.each(['bash', 'zsh', 'fish'] as const)('the %s script contains every command, flag and option', (shell) => {
  const script = renderCompletion(PROGRAM, shell);
  const options = PUBLIC_OPTION_KEYS.map((key) => OPTIONS[key].name);
  const words = [
    ...PROGRAM.commands.map(({ name }) => name ?? ''),
    ...PROGRAM.main.flags.map(({ name }) => name),
    ...options,
  ];
  for (const word of words) expect(script).toMatch(new RegExp(`(?:--|-l |[ '])${word}(?=[ :')])`, 'u'));
});

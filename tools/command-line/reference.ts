// Renders the command reference `docs/command-line.md`.
import { PRODUCT } from '../../src/contract/product.ts';
import type { Command, Program } from './command.ts';
import type { Flag } from './flags.ts';

const { token } = PRODUCT;

export function renderCommandReference({ main, commands }: Program): string {
  return `# Command line

\`${token} help COMMAND\` shows the same text as this page.

A command with \`--OPTION VALUE\` accepts every [configuration](configuration.md) option as a flag of the same name: \`--db-pool 20\`. Flags override the environment, and the environment overrides the file.

${[main, ...commands].map(renderCommand).join('\n')}`;
}

function renderCommand({ name, operands, doc, flags }: Command): string {
  const synopsis = [token, name, operands].filter((word) => word !== undefined && word !== '').join(' ');
  return `## ${name ?? 'Serve'}

\`${synopsis}\`

${doc.replaceAll('<', String.raw`\<`)}.

| Flag | |
|---|---|
${flags.map(renderFlag).join('')}`;
}

function renderFlag({ name, letter, value, doc }: Flag): string {
  const spelled = value === undefined ? `--${name}` : `--${name} ${value}`;
  const cell = letter === undefined ? `\`${spelled}\`` : `\`-${letter}\`, \`${spelled}\``;
  return `| ${cell} | ${doc.replaceAll('|', String.raw`\|`)} |\n`;
}

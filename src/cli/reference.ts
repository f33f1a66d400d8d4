// The commands and their flags as the reference for operators, `docs/command-line.md`, in Markdown.
import { PRODUCT } from '../contract/product.ts';
import { COMMANDS, type CommandSpec, MAIN } from './commands.ts';
import type { Flag } from './arguments/flags.ts';

const { token } = PRODUCT;

export function renderCommandReference(): string {
  return `# Command line

This file is made from the table of commands by \`npm run docs:config\`; edit \`src/cli/commands.ts\` and \`src/cli/arguments/flags.ts\` instead. \`${token} help COMMAND\` shows the same.

Where \`--OPTION VALUE\` stands, every option of the [configuration](configuration.md) is a flag by its name: \`--db-pool 20\`. Flags go before the environment, and the environment before the file.

${[MAIN, ...COMMANDS].map(renderCommand).join('\n')}`;
}

function renderCommand({ name, operands, doc, flags }: CommandSpec): string {
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

// Renders shell completion scripts from the command and flag tables. Everything else completes as file names.
import { PRODUCT } from '../../src/contract/product.ts';
import type { Shell } from './command.ts';
import { COMMANDS, type CommandSpec, listKnownFlags, MAIN, SHELLS } from './commands.ts';
import { type Flag, ALIAS_FLAGS } from './flags.ts';

const { token } = PRODUCT;

export function renderCompletion(shell: Shell): string {
  return RENDERERS[shell]();
}

const RENDERERS: Readonly<Record<Shell, () => string>> = { bash: renderBash, zsh: renderZsh, fish: renderFish };

function listFlags(command: CommandSpec): readonly Flag[] {
  const { flags, options } = listKnownFlags(command);
  return [...flags, ...options.filter((option) => !ALIAS_FLAGS.includes(option))];
}

function listWords(command: CommandSpec): string {
  return listFlags(command)
    .map(({ name }) => `--${name}`)
    .join(' ');
}

function nameCommands(): string {
  return COMMANDS.map(({ name }) => name).join(' ');
}

function renderBash(): string {
  const cases = COMMANDS.map((command) => `    ${command.name}) words='${listWords(command)}' ;;\n`).join('');
  return `# ${token} completion bash > ~/.local/share/bash-completion/completions/${token}
_${token}() {
  local word=\${COMP_WORDS[COMP_CWORD]} words
  case \${COMP_WORDS[1]} in
${cases}    *) words='${listWords(MAIN)}' ;;
  esac
  [[ $COMP_CWORD -eq 1 ]] && words="$words ${nameCommands()}"
  [[ \${COMP_WORDS[1]} == completion && $COMP_CWORD -eq 2 ]] && words='${SHELLS.join(' ')}'
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ $word != -* ]] && COMPREPLY+=($(compgen -f -- "$word"))
}
complete -o filenames -F _${token} ${token}
`;
}

function renderZsh(): string {
  const commands = COMMANDS.map(({ name, doc }) => `    ${quoteZsh(`${name}:${doc}`)}\n`).join('');
  const cases = COMMANDS.map((command) => `    ${command.name}) flags=(${listZshFlags(command)}) ;;\n`).join('');
  return `#compdef ${token}
# ${token} completion zsh > "\${fpath[1]}/_${token}"
_${token}() {
  local -a commands flags
  commands=(
${commands}  )
  case \${words[2]} in
${cases}    *) flags=(${listZshFlags(MAIN)}) ;;
  esac
  (( CURRENT == 2 )) && _describe command commands
  [[ \${words[2]} == completion ]] && (( CURRENT == 3 )) && compadd ${SHELLS.join(' ')}
  [[ $PREFIX == -* ]] && _describe option flags || _files
}
# When autoloaded under this name, complete right away.
if [[ $funcstack[1] == _${token} ]]; then _${token}; else compdef _${token} ${token}; fi
`;
}

function listZshFlags(command: CommandSpec): string {
  return listFlags(command)
    .map(({ name, doc }) => quoteZsh(`--${name}:${doc}`))
    .join(' ');
}

/** In zsh, a colon separates a word from its description. */
function quoteZsh(text: string): string {
  const [word = '', ...rest] = text.split(':');
  return `'${`${word}:${rest.join('\\:')}`.replaceAll("'", String.raw`'\''`)}'`;
}

function renderFish(): string {
  const none = quoteFish(`not __fish_seen_subcommand_from ${nameCommands()}`);
  const lines = COMMANDS.map(({ name, doc }) => `complete -c ${token} -n ${none} -a ${name} -d ${quoteFish(doc)}`);
  const flags = [MAIN, ...COMMANDS].flatMap((command) => {
    const condition = command.name === undefined ? none : quoteFish(`__fish_seen_subcommand_from ${command.name}`);
    return listFlags(command).map(({ name, letter, value, doc }) => {
      const short = letter === undefined ? '' : ` -s ${letter}`;
      return `complete -c ${token} -n ${condition} -l ${name}${short}${value === undefined ? '' : ' -r'} -d ${quoteFish(doc)}`;
    });
  });
  const shells = `complete -c ${token} -n '__fish_seen_subcommand_from completion' -f -a '${SHELLS.join(' ')}'`;
  return `# ${token} completion fish > ~/.config/fish/completions/${token}.fish\n${[...lines, ...flags, shells].join('\n')}\n`;
}

function quoteFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}

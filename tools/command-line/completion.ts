// Renders shell completion scripts from the command and flag tables. Everything else completes as file names.
import { PRODUCT } from '../../src/contract/product.ts';
import { type Shell, SHELLS } from './choices.ts';
import { type Command, listKnownFlags, type Program } from './command.ts';
import { type Flag, ALIAS_FLAGS } from './flags.ts';

const { token } = PRODUCT;

export function renderCompletion(program: Program, shell: Shell): string {
  return RENDERERS[shell](program);
}

const RENDERERS: Readonly<Record<Shell, (program: Program) => string>> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
};

function listFlags(command: Command): readonly Flag[] {
  const { flags, options } = listKnownFlags(command);
  return [...flags, ...options.filter((option) => !ALIAS_FLAGS.includes(option))];
}

function listWords(command: Command): string {
  return listFlags(command)
    .map(({ name }) => `--${name}`)
    .join(' ');
}

function nameCommands({ commands }: Program): string {
  return commands.map(({ name }) => name).join(' ');
}

function renderBash(program: Program): string {
  const cases = program.commands.map((command) => `    ${command.name}) words='${listWords(command)}' ;;\n`).join('');
  return `# ${token} completion bash > ~/.local/share/bash-completion/completions/${token}
_${token}() {
  local word=\${COMP_WORDS[COMP_CWORD]} words
  case \${COMP_WORDS[1]} in
${cases}    *) words='${listWords(program.main)}' ;;
  esac
  [[ $COMP_CWORD -eq 1 ]] && words="$words ${nameCommands(program)}"
  [[ \${COMP_WORDS[1]} == completion && $COMP_CWORD -eq 2 ]] && words='${SHELLS.join(' ')}'
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ $word != -* ]] && COMPREPLY+=($(compgen -f -- "$word"))
}
complete -o filenames -F _${token} ${token}
`;
}

function renderZsh({ main, commands }: Program): string {
  const described = commands.map(({ name, doc }) => `    ${quoteZsh(`${name}:${doc}`)}\n`).join('');
  const cases = commands.map((command) => `    ${command.name}) flags=(${listZshFlags(command)}) ;;\n`).join('');
  return `#compdef ${token}
# ${token} completion zsh > "\${fpath[1]}/_${token}"
_${token}() {
  local -a commands flags
  commands=(
${described}  )
  case \${words[2]} in
${cases}    *) flags=(${listZshFlags(main)}) ;;
  esac
  (( CURRENT == 2 )) && _describe command commands
  [[ \${words[2]} == completion ]] && (( CURRENT == 3 )) && compadd ${SHELLS.join(' ')}
  [[ $PREFIX == -* ]] && _describe option flags || _files
}
# When autoloaded under this name, complete right away.
if [[ $funcstack[1] == _${token} ]]; then _${token}; else compdef _${token} ${token}; fi
`;
}

function listZshFlags(command: Command): string {
  return listFlags(command)
    .map(({ name, doc }) => quoteZsh(`--${name}:${doc}`))
    .join(' ');
}

/** In zsh, a colon separates a word from its description. */
function quoteZsh(text: string): string {
  const [word = '', ...rest] = text.split(':');
  return `'${`${word}:${rest.join('\\:')}`.replaceAll("'", String.raw`'\''`)}'`;
}

function renderFish(program: Program): string {
  const { main, commands } = program;
  const none = quoteFish(`not __fish_seen_subcommand_from ${nameCommands(program)}`);
  const lines = commands.map(({ name, doc }) => `complete -c ${token} -n ${none} -a ${name} -d ${quoteFish(doc)}`);
  const flags = [main, ...commands].flatMap((command) => {
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

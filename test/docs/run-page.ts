// Runs the blocks of a page in order and returns the problems.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createConfigReader } from '../../src/service/configuration/read-config.ts';
import { matchHttp, matchJson, matchText } from './match-answer.ts';
import type { PageStage } from './page-stage.ts';
import { openPage } from './open-page.ts';
import type { Block } from './read-page.ts';
import { type Outcome, Shell, textOf } from './run-shell.ts';
import { runProgram } from './run-program.ts';

/** Languages of blocks that contain the output of the block before them. */
const ANSWERS = new Set(['json', 'http', 'csv', 'text', 'xml']);

export interface PageRun {
  readonly problems: readonly string[];
  /** Outcomes of blocks whose answer the page leaves empty, by line. */
  readonly unfilled: ReadonlyMap<number, Outcome>;
}

export async function runPage(blocks: readonly Block[], stage: PageStage): Promise<PageRun> {
  const problems: string[] = [];
  const unfilled = new Map<number, Outcome>();
  const shell = new Shell(stage);
  let outcome: Outcome | undefined;
  for (const [index, block] of blocks.entries()) {
    if (block.note?.kind === 'not run') continue;
    try {
      if (ANSWERS.has(block.language) && block.note === undefined) {
        if (outcome === undefined) throw new Error('an answer without a question: the block before it has no output');
        if (block.text.trim() === '') unfilled.set(block.line, outcome);
        const difference = matchAnswer(block, outcome);
        if (difference !== undefined) problems.push(`line ${block.line}: ${difference}`);
      } else {
        outcome = undefined;
        outcome = await runBlock(block, { stage, shell, mayBeRefused: blocks[index + 1]?.language === 'http' });
      }
    } catch (error) {
      problems.push(`line ${block.line}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { problems, unfilled };
}

interface RunContext {
  readonly stage: PageStage;
  readonly shell: Shell;
  readonly mayBeRefused: boolean;
}

async function runBlock({ language, text, note }: Block, context: RunContext): Promise<Outcome | undefined> {
  const { stage, shell, mayBeRefused } = context;
  if (note?.kind === 'file') {
    writeFileSync(path.join(stage.folder, note.text), text);
    if (language === 'html') return { kind: 'output', text: await openPage(await stage.point(text), shell.token) };
    return language === 'conf' ? checkConfiguration(text, stage) : undefined;
  }
  if (note?.kind === 'options') {
    await stage.setOptions(readOptions(note.text));
    return undefined;
  }
  switch (language) {
    case 'sh':
      return await shell.run(text, { mayBeRefused, isServer: note?.kind === 'server' });
    case 'sql':
      await stage.runSql(text);
      return undefined;
    case 'conf':
      return checkConfiguration(text, stage);
    case 'js':
    case 'ts':
      return { kind: 'output', text: await runProgram(language, text, stage) };
    case '':
      // A diagram or sample output.
      return undefined;
    default:
      throw new Error(`nothing runs ${language}; say why in a comment: <!-- not run: … -->`);
  }
}

function readOptions(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split('\n').map((line) => /^([\w.-]+) = "?([^"]*)"?$/u.exec(line)?.slice(1) as [string, string]),
  );
}

function checkConfiguration(text: string, stage: PageStage): undefined {
  const file = path.join(stage.folder, 'block.conf');
  writeFileSync(file, text);
  const config = createConfigReader({ file, environment: {} })(new Map(), undefined);
  if (!config.ok) throw new Error(config.error.message);
}

function matchAnswer({ language, text }: Block, outcome: Outcome): string | undefined {
  if (language === 'http') {
    return outcome.kind === 'answer' ? matchHttp(text, outcome.answer) : 'the block before it sends no request';
  }
  return language === 'json' ? matchJson(text, textOf(outcome)) : matchText(text, textOf(outcome));
}

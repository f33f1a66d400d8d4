// The folder `.rowhouse/` of a project: who uses it, and the state that was last applied to its database (`project.md` §1
// item 1, §2 items 3 and 12).
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { type JsonObject, parseJsonObject } from '../../../src/util/json-object.ts';
import { isAlive } from '../../embedded/cluster/postmaster-file.ts';
import { messageOf, tryOr } from '../../support/thrown.ts';
import type { Project } from '../folder/read-project.ts';
import { makeToolsFolder, TOOLS_FOLDER } from '../folder/tools-folder.ts';

/** What is known of the development database. Contains no secrets. */
export interface AppliedState {
  /** Digest of the files that were applied. */
  readonly files: string;
  /** The schema mark after that. */
  readonly mark: string;
  /** Keys of the objects of the files. */
  readonly objects: readonly string[];
  /** Keys of the objects that were made by hand and have been shown. */
  readonly shown: readonly string[];
}

export class Workspace {
  readonly folder: string;
  readonly #lockFile: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.#lockFile = path.join(folder, 'dev.pid');
  }

  /** Takes the folder for this process. The error is a message for the user. */
  static open(root: string): Result<Workspace, string> {
    const folder = path.join(root, TOOLS_FOLDER);
    const workspace = new Workspace(folder);
    try {
      makeToolsFolder(root);
      const holder = workspace.#lock();
      return holder === undefined
        ? ok(workspace)
        : fail(`The project ${root} is in use by another \`rowhouse dev\` (process ${holder}). Stop it first.`);
    } catch (error) {
      return fail(`The folder ${folder} cannot be used: ${messageOf(error)}`);
    }
  }

  /** @returns the process that holds the folder, if another one does */
  #lock(): number | undefined {
    try {
      writeFileSync(this.#lockFile, `${process.pid}\n`, { flag: 'wx' });
      return undefined;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const holder = Number.parseInt(readFileSync(this.#lockFile, 'utf8'), 10);
    if (holder !== process.pid && isAlive(holder)) return holder;
    writeFileSync(this.#lockFile, `${process.pid}\n`);
    return undefined;
  }

  close(): void {
    rmSync(this.#lockFile, { force: true });
  }

  /** @returns undefined if nothing has been applied, or the record is damaged */
  readState(): AppliedState | undefined {
    const content = parseJsonObject(tryOr(() => readFileSync(this.#stateFile, 'utf8'), ''));
    return isAppliedState(content) ? content : undefined;
  }

  writeState(state: AppliedState): void {
    writeFileSync(`${this.#stateFile}.new`, JSON.stringify(state));
    renameSync(`${this.#stateFile}.new`, this.#stateFile);
  }

  forgetState(): void {
    rmSync(this.#stateFile, { force: true });
  }

  get #stateFile(): string {
    return path.join(this.folder, 'applied.json');
  }
}

function isAppliedState(content: JsonObject | AppliedState | undefined): content is AppliedState {
  const { files, mark, objects, shown } = content ?? {};
  return typeof files === 'string' && typeof mark === 'string' && Array.isArray(objects) && Array.isArray(shown);
}

/** Returns the texts by path of the files that make the schema. Seeds do not count. */
export function textsOf({ schema, roles }: Project): ReadonlyMap<string, string> {
  return new Map([...(roles === undefined ? [] : [roles]), ...schema].map(({ path: file, text }) => [file, text]));
}

/** Returns a text for each file of `seed/` that differs after a save. */
export async function readSeedMarks({ root, seeds }: Project): Promise<ReadonlyMap<string, string>> {
  const marks = seeds.map(async (file) => {
    const found = await stat(path.join(root, file)).catch(() => undefined);
    return [file, found === undefined ? '' : `${found.size} ${found.mtimeMs}`] as const;
  });
  return new Map(await Promise.all(marks));
}

export function digestOf(project: Project): string {
  const hash = createHash('sha256');
  for (const [name, text] of textsOf(project)) hash.update(`${name}\0${text}\0`);
  return hash.digest('hex');
}

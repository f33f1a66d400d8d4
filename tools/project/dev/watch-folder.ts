// Notices saved files: by events of the file system, and by polling, because some file systems (network, containers) send
// none. An editor that saves by renaming looks like a removed and a new file.
import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { listProjectFiles } from '../folder/read-project.ts';

/** Events that come so close together belong to one save. */
const QUIET_MS = 30;
/** Where files are saved without a pause, they are read nevertheless. */
const LONGEST_WAIT_MS = 200;
const POLL_MS = 1000;

export class FolderWatch {
  readonly #root: string;
  readonly #onChange: () => void;
  /** One for each folder: one of the whole tree would also watch the data of the embedded PostgreSQL. */
  readonly #watchers: Map<string, FSWatcher> = new Map();
  #quiet: NodeJS.Timeout | undefined;
  #firstEvent: number | undefined;
  #poll: NodeJS.Timeout | undefined;
  #seen: string | undefined;
  #isClosed = false;

  /** @param onChange called after each group of events, also if no content has changed */
  constructor(root: string, onChange: () => void) {
    this.#root = root;
    this.#onChange = onChange;
    void this.#look();
  }

  close(): void {
    this.#isClosed = true;
    for (const watcher of this.#watchers.values()) watcher.close();
    clearTimeout(this.#quiet);
    clearTimeout(this.#poll);
  }

  #notice(): void {
    clearTimeout(this.#quiet);
    const now = performance.now();
    this.#firstEvent ??= now;
    const wait = Math.min(QUIET_MS, Math.max(0, this.#firstEvent + LONGEST_WAIT_MS - now));
    this.#quiet = setTimeout(() => {
      this.#firstEvent = undefined;
      this.#onChange();
    }, wait);
    this.#quiet.unref();
  }

  async #look(): Promise<void> {
    const { folders, files } = await listProjectFiles(this.#root);
    if (this.#isClosed) return;
    this.#follow(folders);
    const now = await describeFiles(files);
    if (this.#isClosed) return;
    if (now !== this.#seen) this.#notice();
    this.#seen = now;
    this.#poll = setTimeout(() => void this.#look(), POLL_MS);
    this.#poll.unref();
  }

  /** Watches these folders, and no others. */
  #follow(folders: readonly string[]): void {
    for (const [folder, watcher] of this.#watchers) {
      if (folders.includes(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watch(folder);
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, file) => {
        // `.rowhouse/` beside `schema/` changes all the time.
        if (file === null || !file.startsWith('.')) this.#notice();
      });
      watcher.on('error', () => undefined);
      this.#watchers.set(folder, watcher);
    } catch {
      // The number of watches is limited, for example. Polling remains.
    }
  }
}

/** Names, sizes and times of all files. */
async function describeFiles(files: readonly string[]): Promise<string> {
  const marks = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size, mtimeMs, ino }) => `${file} ${size} ${mtimeMs} ${ino}`,
        () => '',
      ),
    ),
  );
  return marks.sort().join('\n');
}

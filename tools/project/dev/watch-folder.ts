// Notices saved files: by events of the file system, and by polling, because some file systems (network, containers) send
// none. An editor that saves by renaming looks like a removed and a new file.
import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Events that come so close together belong to one save. */
const QUIET_MS = 30;
const POLL_MS = 1000;
const IGNORED = /(?:^|[\\/])(?:\.rowhouse|\.git|node_modules)(?:[\\/]|$)/u;

export class FolderWatch {
  readonly #root: string;
  readonly #onChange: () => void;
  #watcher: FSWatcher | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #seen: string | undefined;
  #isClosed = false;

  /** @param onChange called after each group of events, also if no content has changed */
  constructor(root: string, onChange: () => void) {
    this.#root = root;
    this.#onChange = onChange;
    try {
      this.#watcher = watch(root, { recursive: true, persistent: false }, (_event, file) => {
        if (file === null || !IGNORED.test(file)) this.#notice();
      });
      this.#watcher.on('error', () => undefined);
    } catch {
      // The number of watches is limited, for example. Polling remains.
    }
    this.#schedulePoll();
  }

  close(): void {
    this.#isClosed = true;
    this.#watcher?.close();
    clearTimeout(this.#quiet);
    clearTimeout(this.#poll);
  }

  #notice(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#onChange(), QUIET_MS);
    this.#quiet.unref();
  }

  #schedulePoll(): void {
    this.#poll = setTimeout(() => void this.#look(), POLL_MS);
    this.#poll.unref();
  }

  async #look(): Promise<void> {
    const now = await describeFiles(this.#root);
    if (this.#isClosed) return;
    if (this.#seen !== undefined && now !== this.#seen) this.#notice();
    this.#seen = now;
    this.#schedulePoll();
  }
}

/** Names, sizes and times of all files. */
async function describeFiles(root: string): Promise<string> {
  const folders = ['schema', 'seed', '.'];
  const lists = await Promise.all(
    folders.map((folder) => readdir(path.join(root, folder), { recursive: folder !== '.' }).catch(() => [])),
  );
  const files = lists.flatMap((names, index) => names.map((name) => path.join(root, folders[index] ?? '', name)));
  const wanted = files.filter((file) => /\.sql$|rowhouse\.conf$/iu.test(file));
  const marks = await Promise.all(
    wanted.map((file) =>
      stat(file).then(
        ({ size, mtimeMs }) => `${file} ${size} ${mtimeMs}`,
        () => '',
      ),
    ),
  );
  return marks.sort().join('\n');
}

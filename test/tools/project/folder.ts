// Folders of projects, removed after the file.
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { useFolder } from '../../support/use.ts';

/** @returns a function that writes files, given by their paths, to a new folder, and returns the folder */
export function useFolders(): (files: Readonly<Record<string, string | Buffer>>) => string {
  const parent = useFolder();
  return (files) => {
    const folder = mkdtempSync(path.join(parent, 'p'));
    chmodSync(folder, 0o711);
    writeFiles(folder, files);
    return folder;
  };
}

export function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

// Adapts the configuration files of `deploy/` to a test: replaces hosts, ports and paths, and keeps everything else.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../deploy/', import.meta.url));

/** @param changes maps text of the file to its replacement; throws if the file does not contain it */
export function adaptDeployFile(name: string, changes: Readonly<Record<string, string>>): string {
  let text = readFileSync(FOLDER + name, 'utf8');
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`deploy/${name} does not contain ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

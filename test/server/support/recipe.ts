// The configuration files of `deploy/`, fitted to a test: places and ports are ours, everything else is as it is delivered.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../deploy/', import.meta.url));

/** @param changes text of the file → what stands there instead */
export function fitRecipe(name: string, changes: Readonly<Record<string, string>>): string {
  let text = readFileSync(FOLDER + name, 'utf8');
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`deploy/${name} does not have ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

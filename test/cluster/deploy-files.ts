// Reads the files of deploy/cluster.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export function deployFile(name: string): string {
  return fileURLToPath(new URL(`../../deploy/cluster/${name}`, import.meta.url));
}

/** @param replaced maps names in the file to their replacement */
export function readEnvironment(name: string, replaced: Readonly<Record<string, string>> = {}): Record<string, string> {
  let text = readFileSync(deployFile(name), 'utf8');
  for (const [former, latter] of Object.entries(replaced)) text = text.replaceAll(former, latter);
  return Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gmu)].map(([, key = '', value = '']) => [key, value]));
}
